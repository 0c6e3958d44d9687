import type { Random } from "../../helpers/random.ts";
import { type Event, KINDS, MODES, type Mode } from "./kinds.ts";

const HEROES = 8;
/** Events at a time. */
const AT_ONCE = 2;
/** The first nights are well. */
const WELL = 2;

/** What a night is, before it begins. */
export interface Night {
  day: number;
  mode: Mode;
  events: readonly Event[];
  /** At this request it is killed, and goes on. */
  killedAt: number | undefined;
  /** The day that its clock shows. */
  clock: number;
  heroes: number;
  unresolved: number;
}

/** All kinds of events, in an order that chance draws, two at a time, in all modes. */
export function planYear(nights: number, random: Random): Night[] {
  let deck: (typeof KINDS)[number][] = [];
  let active: { event: Event; until: number }[] = [];

  function drawEvents(day: number): Event[] {
    active = active.filter(({ until }) => until > day);
    while (active.length < AT_ONCE && random.below(4) > 0) {
      if (deck.length === 0) deck = random.shuffle(KINDS);
      const event = deck.pop()?.(random);
      if (event) active.push({ event, until: day + event.nights });
    }
    return active.map(({ event }) => event);
  }

  return Array.from({ length: nights }, (_, at): Night => {
    const day = at + 1;
    const isWell = day <= WELL;
    const events = isWell ? [] : drawEvents(day);
    const mode = isWell || random.below(2) === 0 ? "plain" : random.pick(Object.keys(MODES) as Mode[]);
    return {
      day,
      mode,
      events,
      killedAt: !isWell && random.below(8) === 0 ? 1 + random.below(60) : undefined,
      clock: !isWell && random.below(16) === 0 ? day + random.pick([-9.25, -1.25, 0.75, 40.25]) : day,
      heroes: HEROES + events.reduce((sum, { heroes = 0 }) => sum + heroes, 0),
      unresolved: events.reduce((sum, { unresolved = 0 }) => sum + unresolved, 0),
    };
  });
}

/** How it is named where something is wrong with it. */
export const nameNight = ({ day, mode, events, killedAt, clock }: Night): string =>
  [
    `night ${day} (${mode})`,
    ...events.map(({ name }) => name),
    ...(killedAt === undefined ? [] : [`killed at ${killedAt}`]),
    ...(clock === day ? [] : [`by a clock of day ${clock}`]),
  ].join(", ");
