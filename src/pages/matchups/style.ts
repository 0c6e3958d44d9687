/** The plane is for wide screens: a phone shows its rows one by one. Its place is kept until it is there. */
export const MATCHUPS_STYLE = `.matrix { display: none; }
@media (min-width: 48rem) { .matrix.drawn { display: block; } }
@media (min-width: 48rem) and (scripting: enabled) { .matrix { display: block; } }
.matrix .told { position: sticky; top: 0; z-index: 1; min-height: 4.5rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.matrix .words { font-weight: 600; }
.matrix .legend { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.matrix .scale { width: 10rem; height: 1rem; border: 1px solid var(--line); background: linear-gradient(to right, var(--bad), var(--paper), var(--good)); }
.matrix .wide { display: grid; grid-template-columns: minmax(0, 1fr); } .matrix .wide > * { grid-area: 1 / 1; }
.matrix .room { max-width: 100%; height: auto; visibility: hidden; }
.matrix .plane { position: relative; width: max-content; height: max-content; } .matrix canvas { display: block; cursor: crosshair; }
.matrix :is(.row, .column, .cell) { position: absolute; pointer-events: none; outline: 1px solid var(--ink); }
.matrix .row { left: 0; width: 100%; } .matrix .column { top: 0; height: 100%; }
.matrix .cell { outline: 2px solid var(--focus); outline-offset: 1px; scroll-margin: 6rem 2rem 2rem; }
.bar { display: block; width: 12rem; height: 1rem; direction: ltr; } .bar .better { fill: var(--good); } .bar .worse { fill: var(--bad); } .bar line { stroke: var(--soft); vector-effect: non-scaling-stroke; }
@media (max-width: 48rem), (pointer: coarse) {
  .matchups :is(tbody a, .links a, .onward a) { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; }
  .matchups summary { padding: 0.625rem 0; min-height: 2.75rem; }
}
@media (max-width: 30rem) { .bar { width: 6rem; } }
@media print {
  .matrix.drawn { display: block; break-inside: avoid; } .matrix :is(.keys, .told, .room, .row, .column, .cell) { display: none; }
  .matrix :is(canvas, .scale), .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .matrix .plane { width: 100%; } .matrix canvas { width: min(100%, 17cm) !important; height: auto !important; }
}
`;
