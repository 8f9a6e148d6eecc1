// The form of a release: a further row for an author, and texts that are proposed.
"use strict";

const authors = document.getElementById("authors");
const total = authors.querySelector("[name=authors-TOTAL_FORMS]");
const add = document.getElementById("add-author");

add.addEventListener("click", () => {
  const row = authors.querySelector("template").innerHTML
    .replaceAll("__prefix__", total.value)
    .replaceAll("__number__", Number(total.value) + 1);
  add.insertAdjacentHTML("beforebegin", row);
  total.value = Number(total.value) + 1;
  add.previousElementSibling.querySelector("input").focus();
});

for (const button of document.querySelectorAll("button[data-takes]")) {
  button.addEventListener("click", () => {
    const field = document.getElementById(button.dataset.into);
    field.value = document.getElementById(button.dataset.takes).textContent;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  });
}
