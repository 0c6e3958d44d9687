import { CHART_STYLE } from "./charts/style.ts";
import { MATCHUPS_STYLE } from "./matchups/style.ts";
import { SQL_STYLE } from "./sql/style.ts";

/** Behind everything, in both colour schemes. */
export const PAPER = { light: "#ffffff", dark: "#11151a" };

// Blue and orange are told apart with any colour blindness; no meaning is in a colour alone.
export const STYLE = `:root {
  color-scheme: light dark;
  --paper: ${PAPER.light}; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --shade: #f3f5f8; --link: #0550ae;
  --good: #0b5cad; --bad: #a04100; --warn-paper: #fff3d6; --warn-ink: #5c3d00; --focus: #b35900;
  --c1: #0072b2; --c2: #b34700; --c3: #007a5a; --c4: #a3487f; --c5: #5b4bb5; --c6: #6f5c00; --faint: #d5dae0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: ${PAPER.dark}; --ink: #e6eaef; --soft: #a3adb8; --line: #38414c; --shade: #1b2129; --link: #7db7ff;
    --good: #7db7ff; --bad: #ffb073; --warn-paper: #3d2e0a; --warn-ink: #ffe2a3; --focus: #ffb073;
    --c1: #56b4e9; --c2: #f0a030; --c3: #2fbf95; --c4: #e39cc3; --c5: #b9aef5; --c6: #d2c04a; --faint: #313945;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0.75rem 1rem; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; border-bottom: 1px solid var(--line); }
footer { border-top: 1px solid var(--line); color: var(--soft); font-size: 0.875rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; margin: 0; padding: 0; }
summary { cursor: pointer; padding: 0.125rem 0; }
nav a, footer a, .links a { display: inline-block; padding: 0.125rem 0; min-height: 1.5rem; }
.find { display: flex; gap: 0.25rem; flex: 1 1 14rem; min-width: 0; max-width: min(22rem, 100%); margin: 0; }
.find input { flex: 1; min-width: 0; } .find input::placeholder { color: var(--soft); opacity: 1; }
.languages { margin-inline-start: auto; }
.languages[open] { flex-basis: 100%; }
/* Beside the search there is room for the name of the language alone; the words before it are told, not seen. */
.languages:not([open]) summary { font-size: 0; } .languages summary bdi { font-size: 1rem; }
.offer { min-height: 1.5rem; }
a { color: var(--link); }
a[aria-current] { color: inherit; font-weight: 700; text-decoration: none; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.25rem; }
p { margin: 0.5rem 0; max-width: 48rem; }
td time { white-space: nowrap; }
/* In a sentence from right to left a date keeps its order, and a sign stands before its number. */
time, data { unicode-bidi: isolate; }
/* English on a page of another direction keeps its own, and stands where that begins. */
p, h1, h2, h3, caption, th, td, dt, dd, li, label, summary, button { unicode-bidi: plaintext; }
[dir="rtl"] :is(p, h1, h2, h3, caption, th, td, dt, dd, li, label, summary) { text-align: right; }
[dir="rtl"] .number { text-align: left; }
[dir="rtl"] [dir="ltr"] :is(p, h1, h2, h3, caption, th, td, dt, dd, li, label, summary) { text-align: left; }
[dir="rtl"] [dir="ltr"] .number { text-align: right; }
.text { white-space: pre-line; }
.skip, .unseen { position: absolute; inset-inline-start: -999rem; }
.skip:focus { position: static; }
.made-up, .note { margin: 0; padding: 0.5rem 1rem; background: var(--warn-paper); color: var(--warn-ink); max-width: none; }
.made-up { text-align: center; font-weight: 700; font-size: 0.875rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.25rem; list-style: none; margin: 0.25rem 0; padding: 0; }
.chips a { display: grid; place-items: center; min-height: 2.75rem; min-width: 2.75rem; padding: 0 0.75rem; border: 1px solid var(--line); border-radius: 1.5rem; text-decoration: none; }
.chips a[aria-current] { background: var(--shade); border-color: var(--ink); }
.portraits { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr)); gap: 0.5rem; list-style: none; margin: 0.5rem 0; padding: 0; }
.portraits a { display: flex; flex-direction: column; align-items: center; gap: 0.25rem; padding: 0.25rem; border-radius: 0.5rem; text-align: center; text-decoration: none; overflow-wrap: anywhere; }
.portraits a:hover { background: var(--shade); }
.portraits .portrait { width: 4rem; height: 4rem; } .portraits .portrait span { font-size: 1.25rem; }
.badges { display: flex; flex-wrap: wrap; gap: 0.5rem; list-style: none; margin: 0.5rem 0; padding: 0; }
.badges li { border: 1px solid var(--line); border-radius: 1rem; padding: 0.125rem 0.75rem; background: var(--shade); }
.badges .lacks { background: var(--warn-paper); color: var(--warn-ink); }
.choices, .try { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; margin: 1rem 0; }
/* A phone shows the answer first, and unfolds the form. Where there is room, and a browser can, it is always open. */
.choosing > summary { padding: 0.5rem 0; min-height: 2.75rem; color: var(--link); font-weight: 600; }
@supports selector(::details-content) {
  @media (min-width: 48rem) {
    .choosing > summary { display: none; }
    .choosing::details-content { content-visibility: visible; block-size: auto; }
  }
}
.choice { display: flex; flex-direction: column; min-width: 0; max-width: 100%; }
p.choice { width: max-content; max-width: 100%; }
.choice label { font-size: 0.875rem; color: var(--soft); }
select, button, input { font: inherit; min-height: 2.25rem; max-width: 100%; padding: 0.25rem 0.5rem; color: inherit;
  background: var(--shade); border: 1px solid var(--soft); border-radius: 0.25rem; }
button { cursor: pointer; font-weight: 600; }
.wide { overflow-x: auto; margin: 0.5rem 0; }
table { border-collapse: collapse; overflow-wrap: normal; }
caption { text-align: start; color: var(--soft); padding: 0.25rem 0; }
/* It can be read whole where the table is wider than the screen. */
caption span { display: block; position: sticky; inset-inline-start: 0; width: fit-content; max-width: calc(100vw - 2rem); }
th, td { text-align: start; vertical-align: middle; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { vertical-align: bottom; white-space: nowrap; }
.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.up { color: var(--good); } .down { color: var(--bad); }
ins { color: var(--good); } del { color: var(--bad); }
.none { color: var(--soft); }
.hero { display: flex; gap: 0.5rem; align-items: center; }
.hero a { word-break: keep-all; }
.portrait { position: relative; flex: none; width: 2rem; height: 2rem; border-radius: 50%; overflow: hidden;
  background: var(--shade); border: 1px solid var(--line); }
.portrait span { position: absolute; inset: 0; display: grid; place-items: center; font-size: 0.75rem; color: var(--soft); }
/* No height: so a browser shows nothing where there is no picture, and the initials stay. */
.portrait img { position: absolute; inset: 0; width: 100%; min-height: 100%; object-fit: cover; }
.portrait.large { width: 5rem; height: 5rem; }
.portrait.large span { font-size: 1.5rem; }
.head { display: flex; gap: 1rem; align-items: center; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 2rem; }
.pair > * { min-width: 0; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0.5rem 0; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; min-width: 0; }
.figures { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0.75rem 0; }
.figures dt { color: var(--soft); font-size: 0.875rem; } .figures dd { margin: 0; font-size: 1.5rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.figures .spark { display: block; width: 7rem; height: 2.25rem; }
.extremes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); gap: 0.5rem 1.5rem; margin: 0.75rem 0; max-width: 64rem; }
.extremes dt { color: var(--soft); font-size: 0.875rem; }
.extremes dd { display: flex; justify-content: space-between; align-items: center; gap: 0.5rem; min-height: 2.75rem; margin: 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.extremes a { display: flex; align-items: center; min-height: 2.75rem; flex: 1; }
/* Two columns of sections, each in the order of the document. */
@media (min-width: 72rem) {
  .columns { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 3rem; align-items: start; }
  .columns > div > h2:first-child { margin-top: 0.5rem; }
  @supports selector(::details-content) {
    .columns .drawn > summary { display: none; }
    .columns .drawn::details-content { content-visibility: visible; block-size: auto; }
  }
}
.board { scroll-margin-top: 0.5rem; }
.board .side { display: flex; gap: 0.5rem; align-items: start; margin: 0.25rem 0; }
.board .head { flex: none; display: grid; align-items: center; width: 4.25rem; min-height: 2.75rem; font-size: 0.875rem; line-height: 1.2; }
.board ul { display: flex; flex-wrap: wrap; gap: 0.25rem; list-style: none; margin: 0; padding: 0; }
.slot, .heroes :is(a, li > span) { display: flex; flex-direction: column; align-items: center; width: 100%; color: inherit; text-decoration: none; }
.slot { width: 2.75rem; }
.slot .portrait, .heroes .portrait { width: 2.75rem; height: 2.75rem; }
.slot.empty, .slot.own { height: 2.75rem; justify-content: center; border: 1px dashed var(--soft); border-radius: 50%; color: var(--link); }
.slot.own { border-style: solid; font-size: 0.875rem; }
.slot.next { border: 3px solid var(--focus); font-weight: 700; }
.slot .name, .heroes .name { max-width: 100%; font-size: 0.75rem; line-height: 1.2; }
.name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#picks { scroll-margin-top: 0.5rem; margin-top: 0.5rem; } :is(.rest, .picker details) > summary { padding: 0.625rem 0; } .lanes .chips a { padding: 0 0.5rem; border-radius: 0.5rem; line-height: 1.2; align-content: center; justify-items: start; }
.lanes small { max-width: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } #picks .hero a { max-width: 9rem; overflow-wrap: break-word; }
.with { font-size: 0.875rem; } .with .name { display: inline-block; max-width: 6rem; vertical-align: bottom; }
.picker .now { position: sticky; top: 0; z-index: 2; background: var(--paper); padding: 0.25rem 0; border-bottom: 1px solid var(--line); }
.picker h2 { margin: 0; } .picker .now p { margin: 0; } .picker .now p a { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; line-height: 2.75rem; }
.picker .chips :is(a, li > span) { display: grid; place-items: center; min-height: 2.75rem; padding: 0 0.5rem; }
.heroes { display: grid; grid-template-columns: repeat(auto-fill, minmax(3.75rem, 1fr)); gap: 0.25rem; list-style: none; margin: 0.5rem 0; padding: 0; }
.heroes li { position: relative; min-width: 0; scroll-margin-block: 45vh; }
.heroes :is(a, li > span) { padding: 0.125rem 0; }
.heroes .taken { background: var(--shade); outline: 1px solid var(--soft); border-radius: 0.25rem; }
.heroes b { position: absolute; top: 1.875rem; padding: 0 0.25rem; background: var(--ink); color: var(--paper); border-radius: 0.25rem; font-size: 0.75rem; line-height: 1.2; }
@media (min-width: 60rem) {
  .draft { display: grid; grid-template-columns: minmax(0, 1fr) 21rem; gap: 0 2rem; align-items: start; }
  .picker { position: sticky; top: 0; max-height: calc(100vh - 14rem); min-height: 20rem; overflow-y: auto; padding: 0 0.25rem; }
  /* A place in there is scrolled to in there: the page itself stays at its beginning, where board and picks are. */
  html:has(.picker) { scroll-padding-top: 75vh; } .heroes li { scroll-margin-block: 25vh; } #limits { scroll-margin-top: -75vh; }
  .slot { width: 4rem; }
  .with { display: inline-block; line-height: 1.3; } .with .name { display: block; max-width: 4.75rem; }
  .slot:is(.empty, .own) { width: 2.75rem; margin: 0 0.625rem; }
}
.links { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; padding: 0; margin: 0.5rem 0; }
pre { overflow-x: auto; background: var(--shade); border: 1px solid var(--line); padding: 0.75rem; overflow-wrap: normal; }
input[type="number"] { width: 8rem; }
pre.code { max-height: 30rem; }
.steps { display: flex; flex-wrap: wrap; gap: 0.25rem 2rem; margin: 0.25rem 0; padding-inline-start: 1.5rem; }
textarea { font: 0.9375rem/1.4 ui-monospace, monospace; width: 100%; min-height: 9rem; padding: 0.5rem; color: inherit;
  background: var(--paper); border: 1px solid var(--soft); border-radius: 0.25rem; }
button[aria-disabled="true"] { color: var(--soft); cursor: default; }
small { font-size: 0.875rem; font-weight: 400; color: var(--soft); }
.q1 { background: color-mix(in srgb, var(--bad) 12%, transparent); }
.q2 { background: color-mix(in srgb, var(--bad) 26%, transparent); }
.q3 { background: color-mix(in srgb, var(--bad) 40%, transparent); }
tbody th[scope="row"] { position: sticky; inset-inline-start: 0; background: var(--paper); }
@media (max-width: 48rem) {
  header nav ul, .chips { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap; }
  header { flex-wrap: wrap; } header > nav { max-width: 100%; }
  .find :is(input, button) { min-height: 2.75rem; }
  .find { flex-basis: 10rem; } .languages summary { padding: 0.75rem 0; }
}
@media print {
  .skip, header, .choosing > form, .picker, .chips, .links, footer a, main > p:has(> a:only-child) { display: none; }
  /* What was chosen stays as a line. */
  .choosing > summary { display: block; min-height: 0; color: inherit; }
  .wide { overflow: visible; } thead { display: table-header-group; } tr { break-inside: avoid; }
}
@media (max-width: 30rem) {
  .figures { gap: 0.5rem 1.25rem; } 
  /* All rates beside a name, which is easy to hit. */
  thead :is(th, .number) { white-space: normal; } th, td { padding-inline-end: 0.5rem; }
  table .portrait { width: 1.5rem; height: 1.5rem; } table .hero { margin-block: -0.25rem; gap: 0.375rem; } table .hero a { align-content: center; min-height: 2.75rem; }
  .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: 0.5rem; } tbody :is(th, td):not(.number):not(:has(.tier)) { min-width: 7rem; } }
${CHART_STYLE}${MATCHUPS_STYLE}${SQL_STYLE}`;
