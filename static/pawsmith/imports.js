// Dropping a file, its size before it is sent, how much of it has arrived, and a preview that
// follows its settings.
(() => {
  "use strict";

  const place = document.querySelector(".dropping");
  if (place) {
    const input = place.querySelector("input[type=file]");
    const wrong = place.querySelector(".wrong");
    const check = () => {
      const size = [...input.files].reduce((sum, file) => sum + file.size, 0);
      const { most, mostFiles, tooLarge, tooMany } = place.dataset;
      const why = input.files.length > Number(mostFiles ?? 1) ? tooMany : size > Number(most) ? tooLarge : "";
      wrong.textContent = why;
      wrong.hidden = !why;
      if (why) input.value = "";
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
  // Where the server asks for something else, the files stay chosen.
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
      const chosen = [...form.querySelectorAll("input[type=file]")].map((input) => [input.name, input.files]);
      document.open();
      document.write(request.responseText);
      document.close();
      for (const [name, files] of chosen) document.querySelector(`[type=file][name="${name}"]`).files = files;
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
