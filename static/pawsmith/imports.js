// Dropping a file, its size before it is sent, how much of it has arrived, and a preview that
// follows its settings.
(() => {
  "use strict";

  const place = document.querySelector(".dropping");
  if (place) {
    const input = place.querySelector("input[type=file]");
    const wrong = place.querySelector(".wrong");
    const check = () => {
      const file = input.files[0];
      const isLarge = Boolean(file) && file.size > Number(place.dataset.most);
      wrong.textContent = isLarge ? place.dataset.tooLarge : "";
      wrong.hidden = !isLarge;
      if (isLarge) input.value = "";
    };
    input.addEventListener("change", check);
    place.classList.add("ready");
    place.querySelector(".dropped").hidden = false;
    for (const name of ["dragover", "dragleave", "drop"]) {
      place.addEventListener(name, (event) => {
        event.preventDefault();
        place.classList.toggle("over", name === "dragover");
        if (name === "drop" && event.dataTransfer.files.length) {
          input.files = event.dataTransfer.files;
          check();
        }
      });
    }
  }

  // Sent from the page, which stays as it is if the server refuses the file or the connection breaks.
  const form = document.querySelector("form.uploading");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const [said, button] = [form.querySelector(".sending"), form.querySelector("button.primary")];
    const say = (text) => {
      said.textContent = text;
      said.hidden = false;
    };
    const request = new XMLHttpRequest();
    const end = (text) => {
      button.disabled = false;
      say(text || said.dataset.broken);
    };
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      say(said.dataset.sending.replace("#", Math.floor((100 * loaded) / total))),
    );
    request.addEventListener("error", () => end(""));
    request.addEventListener("load", () => {
      if (request.getResponseHeader("Content-Type")?.startsWith("text/plain")) return end(request.responseText);
      if (request.status === 200) return location.assign(request.responseURL);
      document.open();
      document.write(request.responseText);
      document.close();
    });
    request.open("POST", form.action);
    request.send(new FormData(form));
    button.disabled = true;
  });

  const reading = document.getElementById("reading");
  for (const field of reading?.querySelectorAll(".layout :is(select, input)") ?? []) {
    field.addEventListener("change", () => reading.querySelector("[name=read]").click());
  }
})();
