// The figures of a study refresh automatically: only while the page is visible, and without
// losing the place of the reader.
(() => {
  "use strict";

  const figures = () => document.getElementById("figures");
  // What a person may be at within the figures: a link, or a table that opens.
  const places = () => [...figures().querySelectorAll("a, summary, [tabindex]")];
  const name = (place) => place.id || place.getAttribute("href") || place.parentElement?.id || place.className;
  let left = null;

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target === figures() && document.hidden) event.preventDefault();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) htmx.trigger(figures(), "refresh");
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.target !== figures()) return;
    const at = figures().contains(document.activeElement) ? document.activeElement : null;
    left = {
      name: at && name(at),
      open: [...figures().querySelectorAll("details[open]")].map((each) => each.id),
      scrolled: [...figures().querySelectorAll(".scroll")].map((each) => each.scrollLeft),
    };
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (!left) return;
    for (const id of left.open) document.getElementById(id)?.setAttribute("open", "");
    figures().querySelectorAll(".scroll").forEach((each, n) => (each.scrollLeft = left.scrolled[n] ?? 0));
    if (left.name) places().find((place) => name(place) === left.name)?.focus({ preventScroll: true });
    left = null;
  });
})();
