/** Makes a test hero of the publisher, as rank lists have him. A `bare` record has `""` in place of objects. */
export const strangerRecord = (bare: boolean) => ({
  data: {
    main_hero: bare ? "" : { data: { head: "", name: "" } },
    main_hero_appearance_rate: 0,
    main_hero_ban_rate: 0,
    main_hero_channel: bare ? "" : { id: 0 },
    main_hero_win_rate: 0,
    main_heroid: 296,
    sub_hero: [],
  },
});
