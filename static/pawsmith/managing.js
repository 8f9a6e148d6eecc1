// On pages of those who run a study: a warning before changes are lost, lists whose rows are chosen,
// help beside the page, and the current page of a row in view. The pages work without it.
(() => {
  "use strict";

  // A form that is being filled in, or that came back with errors, holds changes until it is sent.
  // Where it has rows, its bar names those that are changed.
  const guarded = [...document.querySelectorAll("form[data-guard]")];
  const unsaved = new Set(guarded.filter((form) => form.dataset.guard === "unsaved"));
  const valueOf = (field) => (["checkbox", "radio"].includes(field.type) ? field.checked : field.value);
  for (const form of guarded) {
    const bar = form.querySelector("[data-words]");
    const valuesAtFirst = new Map([...form.elements].map((field) => [field, valueOf(field)]));
    const isChanged = (row) =>
      "changed" in row.dataset ||
      [...row.querySelectorAll("input, select, textarea")].some((field) => valueOf(field) !== valuesAtFirst.get(field));
    const show = () => {
      const names = [...form.querySelectorAll("[data-name]")].filter(isChanged).map((row) => row.dataset.name);
      bar.textContent = names.length ? bar.dataset.words.replace("#", () => names.join(", ")) : "";
      if (names.length) unsaved.add(form);
      else if (form.dataset.guard !== "unsaved") unsaved.delete(form);
    };
    const change = bar ? show : () => unsaved.add(form);
    form.addEventListener("input", change);
    form.addEventListener("change", change);
    form.addEventListener("submit", () => unsaved.clear());
    form.querySelector("[data-undo]")?.addEventListener("click", () => unsaved.clear());
    if (bar) addEventListener("pageshow", show);
  }
  addEventListener("beforeunload", (event) => {
    if (unsaved.size) event.preventDefault();
  });

  // What is typed in a form is kept in this tab until the next page. A page whose address ends in
  // "#again" fills it in again: the session had ended, or the language was changed.
  const KEPT = "typed";
  const KEEPABLE = "input:not([type=hidden], [type=password], [type=file]), select, textarea";
  const person = document.querySelector(".account bdi")?.textContent;
  const nameIn = (field) => (["checkbox", "radio"].includes(field.type) ? `${field.name}=${field.value}` : field.name);
  const fieldsOf = (form) => [...form.querySelectorAll(KEEPABLE)].filter((field) => field.name);
  const keep = (forms) => {
    const typed = forms.map((form) => [form.getAttribute("action"), fieldsOf(form).map((field) => [nameIn(field), valueOf(field)])]);
    sessionStorage.setItem(KEPT, JSON.stringify([person, typed]));
  };
  const fillIn = (typed) => {
    let isBack = false;
    for (const [action, values] of typed) {
      const names = new Map(values);
      const form = [...document.querySelectorAll("main form[method=post]")].find((form) => form.getAttribute("action") === action);
      for (const field of form ? fieldsOf(form) : []) {
        const value = names.get(nameIn(field));
        if (value === undefined || value === valueOf(field)) continue;
        field[typeof value === "boolean" ? "checked" : "value"] = value;
        field.closest("details")?.setAttribute("open", "");
        for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
        isBack = true;
      }
    }
    if (isBack) document.getElementById("again").hidden = false;
  };
  document.addEventListener("submit", ({ target: form, submitter }) => {
    const waiting = form.querySelector("[data-waiting]");
    if (waiting) {
      waiting.textContent = waiting.dataset.waiting;
      submitter.disabled = true;
      addEventListener("pagehide", () => {
        waiting.textContent = "";
        submitter.disabled = false;
      }, { once: true });
    }
    if (form.matches(".setting")) {
      keep([...document.querySelectorAll("main form[method=post]")]);
      unsaved.clear();
      form.elements.next.value += "#again";
    } else if (form.method === "post") keep([form]);
  });
  addEventListener("load", () => {
    const [typist, typed] = JSON.parse(sessionStorage.getItem(KEPT)) || [];
    sessionStorage.removeItem(KEPT);
    if (location.hash !== "#again") return;
    history.replaceState(history.state, "", location.pathname + location.search);
    if (!typed || typist !== person) return;
    fillIn(typed);
    document.addEventListener("htmx:afterSettle", () => fillIn(typed), { once: true });
  });

  // Lists whose rows are chosen: found anew for each event, since filters replace them.
  const show = (list) => {
    const boxes = [...list.querySelectorAll("input[name=chosen]")];
    const every = list.querySelector("[data-every]");
    const count = list.querySelector("[data-count]");
    const chosen = boxes.filter((box) => box.checked).length;
    const all = Boolean(list.querySelector("input[name=all]")?.checked);
    every.closest("label").hidden = every.hidden = false;
    every.checked = chosen > 0 && chosen === boxes.length;
    every.indeterminate = chosen > 0 && chosen < boxes.length;
    count.dataset.none ??= count.textContent;
    count.textContent = chosen ? count.dataset.count.replace("#", chosen) : count.dataset.none;
    list.querySelector(".bulk")?.classList.toggle("on", chosen > 0 || all);
    for (const button of list.querySelectorAll(".bulk button")) button.disabled = !chosen && !all;
  };
  const showAll = () => document.querySelectorAll("form.chosen-of").forEach(show);
  document.addEventListener("change", ({ target }) => {
    const list = target.closest("form.chosen-of");
    if (!list) return;
    if (target.matches("[data-every]")) {
      for (const box of list.querySelectorAll("input[name=chosen]")) box.checked = target.checked;
    }
    show(list);
  });
  addEventListener("pageshow", showAll);
  document.addEventListener("htmx:afterSettle", showAll);
  showAll();

  // Filters: numbers come when a pick is opened; Escape or a click outside closes it.
  const picked = () => document.querySelector(".pick[open]");
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches(".pick[open]")) window.htmx?.trigger(target, "opened");
  }, true);
  document.addEventListener("click", ({ target }) => {
    if (!target.closest(".pick")) picked()?.removeAttribute("open");
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !picked()) return;
    picked().querySelector("summary").focus();
    picked().removeAttribute("open");
  });
  document.addEventListener("htmx:configRequest", ({ detail, target }) => {
    if (!target.closest(".sieve")) return;
    for (const [name, value] of [...detail.formData]) if (!value) detail.formData.delete(name);
  });

  // Help opens beside the page that one is on, with its links and its search.
  const help = document.querySelector("dialog#help");
  const isHelp = (address) => address.origin === location.origin && address.pathname.startsWith(help.dataset.at);
  const showPart = (id) => (id && help.querySelector(`[id="${CSS.escape(decodeURIComponent(id))}"]`) || help).scrollIntoView();
  const showHelp = async (address) => {
    const reply = await fetch(address);
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (!page.querySelector(".manual")) {
      location.assign(address);
      return;
    }
    for (const sheet of page.querySelectorAll("link[rel=stylesheet]")) {
      if (!document.querySelector(`link[href="${sheet.getAttribute("href")}"]`)) document.head.append(sheet);
    }
    help.querySelector("[data-shown]").replaceChildren(...page.querySelector("main").children);
    help.querySelector("[data-whole]").href = address;
    if (!help.open) help.showModal();
    help.scrollTop = 0;
    showPart(new URL(address).hash.slice(1));
  };
  document.addEventListener("click", (event) => {
    if (event.target === help) help.close();
    const link = event.target.closest("a[href]");
    if (!link || link.matches("[data-whole]") || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const isPart = help?.contains(link) && link.getAttribute("href").startsWith("#");
    if (!isPart && (!help || document.body.matches(".reading") || !isHelp(new URL(link.href)))) return;
    event.preventDefault();
    if (isPart) showPart(link.hash.slice(1));
    else showHelp(link.href);
  });
  help?.addEventListener("submit", (event) => {
    if (!event.target.matches("[role=search]")) return;
    event.preventDefault();
    showHelp(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
  });

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
