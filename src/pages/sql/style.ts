/** The console: its fields, its answer and the names of the schema. */
export const SQL_STYLE = `/* The query, beside it the names that it may have, and below both the answer. */
.console { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1.5rem; }
.console textarea { min-height: 7.5rem; } .console .choices { margin: 0.5rem 0; gap: 0.5rem 0.75rem; }
/* From the first query on it has room for any answer, so that what is below does not move. */
.console .answer { min-width: 0; } .answer:has([aria-busy]) { min-height: 100vh; }
#status { scroll-margin-top: 0.5rem; }
.run button { min-width: 5rem; } :is(.run, .answer) button, .console select { min-height: 2.75rem; }
:is(.names, .answer) summary { padding: 0.625rem 0; } .names h2 { font-size: 1rem; margin: 0.5rem 0 0; }
.names .name { font: 0.875rem/1.4 ui-monospace, monospace; min-height: 2.75rem; text-align: start; color: var(--link); }
.fault:not(:empty) { margin: 0.5rem 0; padding: 0.25rem 1rem; border: 1px solid var(--bad); border-inline-start-width: 0.5rem; border-radius: 0.25rem; }
.fault mark { background: var(--warn-paper); color: var(--warn-ink); text-decoration: underline wavy; }
.files { display: flex; flex-wrap: wrap; gap: 0.5rem; }
@media (min-width: 48rem) {
  .console { grid-template-columns: minmax(0, 1fr) clamp(16rem, 35%, 24rem); } #example { max-width: 15rem; }
  .console .answer { grid-column: 1 / -1; }
  .names { height: 19rem; overflow-y: auto; padding: 0 0.75rem; border: 1px solid var(--line); border-radius: 0.25rem; }
  .names summary { padding: 0.25rem 0; }
  .names .name { min-height: 1.75rem; padding: 0 0.375rem; }
}
@media (scripting: none) { .console { display: block; } #console-form, .answer, .run { display: none; } }
`;
