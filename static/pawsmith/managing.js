// On pages of those who run a study: a warning before changes are lost, lists whose rows are chosen,
// and the current page of a row in view. The pages work without it.
(() => {
  "use strict";

  // A form that is being filled in, or that came back with errors, holds changes until it is sent.
  const guarded = [...document.querySelectorAll("form[data-guard]")];
  const unsaved = new Set(guarded.filter((form) => form.dataset.guard === "unsaved"));
  for (const form of guarded) {
    const changed = () => unsaved.add(form);
    form.addEventListener("input", changed);
    form.addEventListener("change", changed);
    form.addEventListener("submit", () => unsaved.clear());
  }
  addEventListener("beforeunload", (event) => {
    if (unsaved.size) event.preventDefault();
  });

  for (const list of document.querySelectorAll("form.chosen-of")) {
    const boxes = () => [...list.querySelectorAll("input[name=chosen]")];
    const every = list.querySelector("[data-every]");
    const count = list.querySelector("[data-count]");
    const show = () => {
      const chosen = boxes().filter((box) => box.checked).length;
      every.checked = chosen > 0 && chosen === boxes().length;
      every.indeterminate = chosen > 0 && chosen < boxes().length;
      count.textContent = chosen ? count.dataset.count.replace("#", chosen) : "";
      for (const button of list.querySelectorAll(":is(.with-chosen, .bulk) button")) button.disabled = !chosen;
      list.querySelector(".bulk")?.classList.toggle("on", chosen > 0);
    };
    every.closest("label").hidden = false;
    every.addEventListener("change", () => {
      for (const box of boxes()) box.checked = every.checked;
      show();
    });
    list.addEventListener("change", show);
    addEventListener("pageshow", show);
    show();
  }

  // The server refuses changes to an archived project; its buttons say so beforehand.
  const archived = document.querySelector(".notice.archived");
  if (archived) {
    for (const form of document.querySelectorAll("main form[method=post]:not([data-restores])")) {
      for (const button of form.querySelectorAll("button")) {
        button.disabled = true;
        button.title = archived.dataset.reason;
      }
    }
  }

  for (const row of document.querySelectorAll(".pages-here, .views")) {
    const current = row.querySelector("[aria-current]");
    if (current) row.scrollLeft = current.offsetLeft - row.clientWidth / 2 + current.offsetWidth / 2;
  }
})();
