import * as z from "zod";
import { contentMeta, heroId, heroPortrait, lanes, relation, roles, stamp, url } from "./common.ts";

export const heroListRecord = z
  .looseObject({
    data: z.looseObject({
      hero: z.looseObject({
        data: z.looseObject({ head: url.optional(), name: z.string(), smallmap: url.optional() }),
      }),
      hero_id: heroId,
      relation,
    }),
  })
  .meta({ id: "HeroListRecord", description: "A hero's name, portraits and relations." });

export const positionRecord = z
  .looseObject({
    id: z.int().optional(),
    data: z.looseObject({
      hero: z.looseObject({
        data: z.looseObject({ name: z.string(), smallmap: url.optional(), roadsort: lanes, sortid: roles }),
      }),
      hero_id: heroId,
      relation,
    }),
  })
  .meta({ id: "HeroPositionRecord", description: "A hero's lanes, roles and relations." });

export const relationRecord = z
  .looseObject({
    data: z.looseObject({
      hero: z.looseObject({ data: z.looseObject({ name: z.string() }) }),
      hero_id: heroId,
      relation,
    }),
  })
  .meta({ id: "HeroRelationRecord", description: "Good team mates, easy opponents and counters of a hero." });

const skill = z.looseObject({
  skillid: z.int(),
  skillname: z.string(),
  skilldesc: z.string(),
  skillicon: url.optional(),
  "skillcd&cost": z.string().optional(),
  skillvideo: url.optional(),
  skilltag: z.array(z.looseObject({ tagid: z.int(), tagname: z.string(), tagrgb: z.string().optional() })).optional(),
});

const heroDetail = z.looseObject({
  heroid: heroId,
  name: z.string(),
  story: z.string().optional(),
  tale: z.string().optional(),
  painting: url.optional(),
  head: url.optional(),
  smallmap: url.optional(),
  squarehead: url.optional(),
  squareheadbig: url.optional(),
  speciality: z.array(z.string()).optional(),
  abilityshow: z.array(z.string()).optional(),
  difficulty: z.string().optional(),
  roadsort: lanes,
  sortid: roles,
  roadsortlabel: z.array(z.string()).optional(),
  sortlabel: z.array(z.string()).optional(),
  recommendlevel: z.array(z.string()).optional(),
  recommendlevellabel: z.string().optional(),
  recommendmasterplan: z.array(z.unknown()).optional(),
  heroskilllist: z.array(z.looseObject({ skilllistid: z.string(), skilllist: z.array(skill) })),
});

const relationText = z.looseObject({
  desc: z.string().optional(),
  target_hero_id: z.array(z.int()),
  // Padded with the integer 0 at the same places as the ids.
  target_hero: z.array(z.union([heroPortrait, z.literal(0)])).optional(),
});

export const heroDetailRecord = z
  .looseObject({
    ...contentMeta,
    data: z.looseObject({
      hero_id: heroId,
      head: url.optional(),
      head_big: url.optional(),
      painting: url.optional(),
      url: url.optional(),
      hero: z.looseObject({
        _createdAt: stamp.optional(),
        _updatedAt: stamp.optional(),
        id: z.int().optional(),
        sourceId: z.int().optional(),
        data: heroDetail,
      }),
      relation: z.looseObject({ assist: relationText, strong: relationText, weak: relationText }),
    }),
  })
  .meta({ id: "HeroDetailRecord", description: "Texts, skills, lanes, roles and relations of a hero." });

export const skillComboRecord = z
  .looseObject({
    ...contentMeta,
    id: z.int(),
    data: z.looseObject({
      hero_id: heroId,
      title: z.string(),
      desc: z.string(),
      skill_id: z.array(
        z.looseObject({ id: z.int().optional(), data: z.looseObject({ skillid: z.int(), skillicon: url.optional() }) }),
      ),
    }),
  })
  .meta({ id: "HeroSkillComboRecord", description: "A recommended sequence of skills with its explanation." });
