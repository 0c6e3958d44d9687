/** On every page: a form whose fields are all choices needs no button. */
for (const form of document.querySelectorAll<HTMLFormElement>("form.choices")) {
  form.addEventListener("change", () => form.requestSubmit());
}
