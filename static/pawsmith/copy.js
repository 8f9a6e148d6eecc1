// A button next to a field, which copies its text; without scripts the field can be selected.
(() => {
  "use strict";

  for (const button of document.querySelectorAll("button[data-copies]")) {
    const field = document.getElementById(button.dataset.copies);
    const said = document.getElementById(button.dataset.says);
    field.addEventListener("focus", () => field.select());
    button.hidden = false;
    button.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        return; // no clipboard here: the text is selected, to be copied by hand
      }
      said.textContent = said.dataset.copied;
    });
  }
})();
