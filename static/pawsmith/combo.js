// A field with a list of what fits the text that is typed; the server finds it. Keys are those of the
// ARIA pattern for comboboxes: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
(() => {
  "use strict";

  const WAIT = 200; // milliseconds without a key before the server is asked

  for (const field of document.querySelectorAll("input[data-options]")) {
    const list = document.createElement("ul");
    list.id = `${field.id}-options`;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", field.labels[0]?.textContent ?? "");
    list.hidden = true;
    const box = document.createElement("div");
    box.className = "combo";
    field.replaceWith(box);
    box.append(field, list);
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", list.id);
    field.setAttribute("aria-expanded", "false");

    const options = () => [...list.children];
    const selected = () => list.querySelector("[aria-selected=true]");

    const open = (isOpen) => {
      list.hidden = !isOpen;
      field.setAttribute("aria-expanded", String(isOpen));
      if (!isOpen) select(null);
    };
    const select = (option) => {
      selected()?.setAttribute("aria-selected", "false");
      option?.setAttribute("aria-selected", "true");
      if (option) field.setAttribute("aria-activedescendant", option.id);
      else field.removeAttribute("aria-activedescendant");
    };
    const choose = (option) => {
      field.value = option.firstElementChild.textContent;
      field.dispatchEvent(new Event("change", { bubbles: true }));
      open(false);
    };

    let asked = 0;
    let timer = 0;
    const ask = async () => {
      const number = ++asked;
      const reply = await fetch(`${field.dataset.options}?q=${encodeURIComponent(field.value)}`);
      // Redirected: the person was signed out.
      if (!reply.ok || reply.redirected || number !== asked || document.activeElement !== field) return;
      // Escaped by the server, as every page.
      list.innerHTML = await reply.text();
      options().forEach((option, place) => (option.id = `${list.id}-${place}`));
      open(options().length > 0);
    };

    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(ask, WAIT);
    });
    field.addEventListener("blur", () => open(false));
    field.addEventListener("keydown", (event) => {
      const all = options();
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (list.hidden) return void ask();
        const step = event.key === "ArrowDown" ? 1 : -1;
        const place = selected() ? all.indexOf(selected()) + step : step > 0 ? 0 : -1;
        select(all.at(place % all.length));
      } else if (event.key === "Enter" && selected()) {
        event.preventDefault();
        choose(selected());
      } else if (event.key === "Escape" && !list.hidden) {
        event.stopPropagation();
        open(false);
      }
    });
    // Before the field loses the focus.
    list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) choose(option);
    });
  }
})();
