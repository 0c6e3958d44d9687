/** Drawings and what stands around them. Lines differ by their dashes too, and dots by their shapes. */
export const CHART_STYLE = `.chart { width: 100%; min-width: 34rem; max-width: 48rem; height: auto; direction: ltr; display: block; } [dir="rtl"] .chart { margin-left: auto; }
.chart text { font-size: 12px; fill: var(--soft); } .chart .title { fill: var(--ink); font-weight: 600; } .chart .axis { stroke: var(--line); } .chart :is(.axis, text) { pointer-events: none; }
.chart path { fill: none; stroke-width: 2; stroke-linecap: round; pointer-events: none; } .chart .other { stroke: var(--faint); stroke-width: 1; }
.chart .line1 { stroke: var(--c1); } .chart .name1 { fill: var(--c1); }
.chart .line2 { stroke: var(--c2); stroke-dasharray: 7 3; } .chart .name2 { fill: var(--c2); }
.chart .line3 { stroke: var(--c3); stroke-dasharray: 2 3; } .chart .name3 { fill: var(--c3); }
.chart .line4 { stroke: var(--c4); stroke-dasharray: 9 3 2 3; } .chart .name4 { fill: var(--c4); }
.chart .line5 { stroke: var(--c5); stroke-dasharray: 1 4; } .chart .name5 { fill: var(--c5); }
.chart .rise { fill: var(--c1); } .chart .fall { fill: var(--c2); }
.chart .mark rect { fill: transparent; } .chart .mark circle { r: 2px; } .chart .mark.shown rect { fill: var(--shade); } .chart .mark.shown circle { r: 5px; }
.chart .mark use { stroke: transparent; stroke-width: 8px; pointer-events: all; fill-opacity: 0.8; }
.chart .mark.shown use { stroke: var(--ink); stroke-width: 2px; fill-opacity: 1; }
.chart .tip { fill: var(--ink); font-weight: 600; paint-order: stroke; stroke: var(--paper); stroke-width: 6px; stroke-linejoin: round; pointer-events: none; }
.tank { fill: var(--c1); } .fighter { fill: var(--c2); } .assassin { fill: var(--c4); } .mage { fill: var(--c5); } .marksman { fill: var(--c3); } .support { fill: var(--c6); }
.mark.other { fill: var(--soft); stroke: none; } .key .other { fill: var(--soft); }
.key { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; margin: 0.5rem 0; padding: 0; }
.key li { display: flex; gap: 0.25rem; align-items: center; } .key svg { width: 1rem; height: 1rem; flex: none; }
.reading { min-height: 2.75rem; max-width: 48rem; font-variant-numeric: tabular-nums; }
.reading a { display: inline-block; min-height: 2.75rem; }
@media (max-width: 30rem) { .reading { min-height: 4.5rem; } }
.spark { width: 4.5rem; height: 1.375rem; direction: ltr; } .spark line { stroke: var(--line); }
.spark path { fill: none; stroke: var(--c1); stroke-width: 1.5; stroke-linecap: round; }
@media print { .reading { display: none; } }
`;
