// A button that copies the text of a field or of an element; without scripts it can be selected.
(() => {
  "use strict";

  const bind = (part) => {
    for (const button of part.querySelectorAll("button[data-copies][hidden]")) {
      const source = document.getElementById(button.dataset.copies);
      const said = document.getElementById(button.dataset.says);
      const select = () => (source.select ? source.select() : getSelection().selectAllChildren(source));
      if (source.select) {
        source.addEventListener("focus", select);
      }
      button.hidden = false;
      button.addEventListener("click", async () => {
        select();
        try {
          await navigator.clipboard.writeText(source.value ?? source.textContent);
        } catch {
          return; // no clipboard here: the text is selected, to be copied by hand
        }
        said.textContent = said.dataset.copied;
      });
    }
  };

  bind(document);
  // What htmx has put into the page.
  document.addEventListener("htmx:load", (event) => bind(event.target));
})();
