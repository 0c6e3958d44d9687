import * as z from "zod";
import { batchMeta, contentMeta, heroId, lanes, stamp, url } from "./common.ts";

export const versionRecord = z
  .looseObject({
    id: z.int(),
    uin: z.string().optional(),
    createdAt: stamp,
    updatedAt: stamp.optional(),
    data: z.looseObject({ game_version: z.string() }),
    form: z.looseObject({ id: z.int() }).optional(),
    vote_all: z.looseObject({ target: z.string(), vote: z.looseObject({ id: z.int() }) }).optional(),
  })
  .meta({ id: "GameVersionRecord", description: "A version of the game." });

export const catalogRecord = z
  .looseObject({
    data: z.looseObject({
      head: url.optional(),
      head_big: url.optional(),
      painting: url.optional(),
      hero_id: heroId,
      hero: z.looseObject({ data: z.looseObject({ name: z.string(), roadsort: lanes }) }),
    }),
  })
  .meta({ id: "HeroCatalogRecord", description: "A hero in the catalogue: name, pictures, lanes." });

export const academyHeroRecord = z
  .looseObject({
    data: z.looseObject({
      head: url.optional(),
      hero_id: heroId,
      hero: z.looseObject({ data: z.looseObject({ name: z.string() }) }),
    }),
  })
  .meta({ id: "AcademyHeroRecord", description: "A hero's name and portrait." });

export const heroLaneRecord = z
  .looseObject({
    data: z.looseObject({
      hero_id: heroId,
      hero: z.looseObject({ data: z.looseObject({ roadsort: lanes }) }),
    }),
  })
  .meta({ id: "HeroLaneRecord", description: "The lanes of one hero." });

/** An emblem as builds and roles show it: its name and what it gives. */
export const emblem = z.looseObject({
  data: z.looseObject({
    emblemid: z.int().optional(),
    emblemname: z.string().optional(),
    attriicon: url.optional(),
    emblemattr: z
      .looseObject({
        emblemattr: z.string().optional(),
        emblemattrid: z.string().optional(),
        emblemname: z.string().optional(),
      })
      .optional(),
  }),
});

export const roleRecord = z
  .looseObject({
    ...contentMeta,
    data: z.looseObject({
      emblem_id: z.int(),
      emblem_title: z.string(),
      emblem_icon: url.optional(),
      emblem_detail: emblem.optional(),
    }),
  })
  .meta({ id: "RoleRecord", description: "A role with its emblem." });

export const equipmentRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({ equipid: z.int(), equipname: z.string(), equipicon: url.optional() }),
  })
  .meta({ id: "EquipmentRecord", description: "An item's name and icon." });

const ids = z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))]);

export const expandedEquipmentRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({
      equipid: z.int(),
      equipname: z.string(),
      equipicon: url.optional(),
      equiptype: z.string().optional(),
      equiptypename: z.string().optional(),
      equiptips: z.string().optional(),
      equipskilldesc: z.string().optional(),
      targetequipid: ids
        .optional()
        .meta({ description: "Items that this item is built into. Empty if it is built into nothing." }),
    }),
  })
  .meta({ id: "ExpandedEquipmentRecord", description: "An item with its bonuses, skills and upgrades." });

/** Texts of a battle spell. */
export const spellTexts = z.looseObject({
  skillid: z.int().optional(),
  skillname: z.string().optional(),
  skilldesc: z.string().optional(),
  skilldescemblem: z.string().optional(),
  skillicon: url.optional(),
});

// References of the publisher's store that were never resolved (`@__data.skillname1`) stay as they are.
export const spellRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({
      battleskillid: z.int(),
      __data: spellTexts.optional(),
      skillname: z.string().optional(),
      skillicon: z.string().optional(),
      skillshortdesc: z.string().optional(),
      skillvideo: z.string().optional(),
    }),
  })
  .meta({ id: "SpellRecord", description: "A battle spell with its texts." });

export const talentRecord = z
  .looseObject({
    ...batchMeta,
    data: z.looseObject({
      giftid: z.int(),
      gifttiers: z.int(),
      emblemskill: z.looseObject({
        skillid: z.int(),
        skillname: z.string(),
        skilldesc: z.string(),
        skillicon: url.optional(),
      }),
    }),
  })
  .meta({ id: "EmblemTalentRecord", description: "A talent of the emblems with its tier and texts." });

export const rankStepRecord = z
  .looseObject({
    ...contentMeta,
    data: z.looseObject({
      bigrank: z.int(),
      bigrank_name: z.string(),
      minrank: z.string().optional(),
      minrank_name: z.string().optional(),
      icon: url.optional(),
      rankid_start: z.int(),
      rankid_end: z.int(),
    }),
  })
  .meta({ id: "RankRecord", description: "A rank of players with its range of rank numbers." });
