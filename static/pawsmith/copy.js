// A button that copies the text of a field or of an element; without scripts it can be selected.
(() => {
  "use strict";

  for (const button of document.querySelectorAll("button[data-copies]")) {
    const field = document.getElementById(button.dataset.copies);
    const said = document.getElementById(button.dataset.says);
    const text = () => field.value ?? field.textContent;
    const select = () => (field.select ? field.select() : getSelection().selectAllChildren(field));
    if (field.select) {
      field.addEventListener("focus", select);
    }
    button.hidden = false;
    button.addEventListener("click", async () => {
      select();
      try {
        await navigator.clipboard.writeText(text());
      } catch {
        return; // no clipboard here: the text is selected, to be copied by hand
      }
      said.textContent = said.dataset.copied;
    });
  }
})();
