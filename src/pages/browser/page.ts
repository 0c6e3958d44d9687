/**
 * On every page: a form whose fields are all choices needs no button by mouse or touch. By keyboard a choice goes through others on
 * its way, so there the button sends it.
 */
for (const form of document.querySelectorAll<HTMLFormElement>("form.choices")) {
  let byKeys = false;
  form.addEventListener("keydown", () => {
    byKeys = true;
  });
  form.addEventListener("pointerdown", () => {
    byKeys = false;
  });
  form.addEventListener("change", () => {
    if (!byKeys) form.requestSubmit();
  });
}
