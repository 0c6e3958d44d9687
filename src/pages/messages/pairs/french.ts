import { html } from "../../html.ts";
import type { PairMessages } from "./english.ts";

/** What the pages say of two heroes, in French. */
export default {
  played: {
    label: "L’autre héros est",
    opponent: "Un ennemi",
    teamMate: "Un allié",
    asExpected: "comme prévu",
    worse: "moins bien que prévu",
    better: "mieux que prévu",
  },
  matchups: {
    asCsv: "La matrice en CSV",
    heading: "Matchups",
    empty: "Cet instantané ne contient aucun matchup pour ce rang.",
    numbers: "Ce que signifient ces chiffres",
    window: "La source n’indique pas non plus la période ; une paire qui s’est trop rarement rencontrée est absente.",
    titleOf: {
      against: (name) => `${name} contre chaque autre héros`,
      with: (name) => `${name} avec chaque autre héros`,
    },
    ofHero: {
      against: (name) => html`${name} contre chaque autre héros`,
      with: (name) => html`${name} avec chaque autre héros`,
    },
    listed: {
      against: (heroes) => `Le meilleur matchup en premier. Héros : ${heroes}`,
      with: (heroes) => `Le meilleur allié en premier. Héros : ${heroes}`,
    },
    another: "Choisir un autre héros",
    ofAll: "Tous les héros",
    ends: {
      against: {
        caption: "Contre qui chaque héros fait le mieux et le moins bien",
        best: "Le mieux contre",
        worst: "Le moins bien contre",
      },
      with: {
        caption: "Avec qui chaque héros fait le mieux et le moins bien",
        best: "Le mieux avec",
        worst: "Le moins bien avec",
      },
    },
    similarity: "Similarité",
    otherHero: "Autre héros",
    points: "Points",
    drawn: "Barre",
    againstAsJson: "Contre tous, en JSON",
    withAsJson: "Avec tous, en JSON",
  },
  matrix: {
    heading: "Toutes les paires en graphique",
    label: {
      against: (heroes) => `Matrice des héros les uns contre les autres. Héros : ${heroes}`,
      with: (heroes) => `Matrice des héros les uns avec les autres. Héros : ${heroes}`,
    },
    help: {
      against:
        "Une ligne est un héros, une colonne l’autre héros : bleu si le héros de la ligne fait mieux que prévu contre lui, orange s’il fait moins bien.",
      with: "Une ligne est un héros, une colonne l’autre héros : bleu si le héros de la ligne fait mieux que prévu avec lui, orange s’il fait moins bien.",
    },
    keys: "Les flèches déplacent la case, Page préc. et Page suiv. de dix en dix, Début et Fin aux extrémités de la ligne ; Entrée affiche tout sur le héros de la ligne.",
    low: (points) => `${points} points ou moins`,
    high: (points) => `${points} points ou plus`,
    dot: "Petit point : inconnu",
    known: {
      against: "{hero} contre {other} : {points} points. Ligne {row} sur {count}, colonne {column} sur {count}.",
      with: "{hero} avec {other} : {points} points. Ligne {row} sur {count}, colonne {column} sur {count}.",
    },
    unknown: {
      against: "{hero} contre {other} : inconnu. Ligne {row} sur {count}, colonne {column} sur {count}.",
      with: "{hero} avec {other} : inconnu. Ligne {row} sur {count}, colonne {column} sur {count}.",
    },
    all: "Tout sur {hero}",
    failed: "Le graphique n’a pas pu être chargé. Les tableaux ci-dessous montrent les meilleures et les pires paires.",
  },
  draft: {
    asCsv: "Tous les picks en CSV",
    heading: "Draft",
    against: (enemies) => `Draft contre ${enemies}`,
    with: (allies) => `Draft avec ${allies}`,
    againstAndWith: (enemies, allies) => `Draft contre ${enemies}, avec ${allies}`,
    sides: {
      enemies: { head: "Ennemis", choose: "Choisir un ennemi", mark: "Ennemi" },
      allies: { head: "Alliés", choose: "Choisir un allié", mark: "Allié" },
      bans: { head: "Bans", choose: "Choisir un ban", mark: "Ban" },
    },
    soFar: "La draft jusqu’ici",
    repeated: "Un héros choisi plusieurs fois ne compte qu’une fois.",
    remove: (hero) => `Retirer ${hero}`,
    you: "Vous",
    nowChoosing: "Choix en cours",
    allFilled: "Tous les emplacements sont pris",
    best: (heroes) => `En tête : ${heroes}`,
    seePicks: "Voir les picks",
    chooseByName: "Choisir par nom",
    add: "Ajouter",
    lanes: "Lanes",
    openLanes: "Lanes libres",
    open: html`libre`,
    openOr: (heroes) => html`libre ou ${heroes}`,
    picks: "Picks",
    estimate: "Estimation",
    points: "Points",
    nobody: "Choisissez des ennemis et des alliés pour voir une estimation. D’ici là, seul le taux de victoire compte.",
    whatItIs: "L’estimation est le taux de victoire moins 50 %, plus les points de chaque paire.",
    noForecast: "Ce n’est pas un pronostic.",
    lacksMatchups: "Cet instantané ne contient aucun matchup pour ce rang.",
    lacksAgainst:
      "Cet instantané ne contient pas de points contre des ennemis pour ce rang : les ennemis ne changent donc rien ici.",
    lacksWith:
      "Cet instantané ne contient pas de points avec des alliés pour ce rang : les alliés ne changent donc rien ici.",
    byWinRateAlone: "Les héros sont classés par taux de victoire seulement.",
    lacksRates: "Cet instantané ne contient aucun taux de victoire pour ce rang et cette période.",
    more: (heroes) => `En afficher ${heroes} de plus`,
    fromPlace: (caption, place) => `${caption} (à partir de la place ${place})`,
    byWinRate: (heroes) => `Par taux de victoire. Héros : ${heroes}`,
    withoutWinRate: (heroes) => `Sans taux de victoire. Héros : ${heroes}`,
    covered: (known, all, heroes) => `Paires connues : ${known} sur ${all}. Héros : ${heroes}`,
    coveredLess: (known, all, heroes) =>
      `Paires connues : ${known} sur ${all}, à ne pas comparer avec les héros au-dessus. Héros : ${heroes}`,
    withoutEstimate: (known, all, heroes) =>
      `Sans taux de victoire, donc sans estimation ; paires connues : ${known} sur ${all}. Héros : ${heroes}`,
    againstHero: (hero) => html`contre ${hero}`,
    withHero: (hero) => html`avec ${hero}`,
    leftOut: (heroes, least) => `Héros laissés de côté, avec moins de ${least} des picks : ${heroes}.`,
    showThem: "Les afficher aussi",
    source: "Les points sont ceux de ces endpoints, avec le héros de la ligne dans le chemin :",
    ratesAsJson: "Taux de victoire et taux de pick en JSON",
    limits: "Ce que l’estimation est, et ce qu’elle n’est pas",
    limitsOf: [
      "C’est le taux de victoire d’un héros moins 50 points de pourcentage, plus ses points contre chaque ennemi et avec chaque allié. Plus elle est élevée, mieux c’est.",
      "Ce n’est pas un pronostic. Elle additionne ce que fait un héros contre un seul autre héros à la fois, ou avec lui ; aucun chiffre ici ne dit comment cinq héros jouent ensemble.",
      "Un chiffre manquant est inconnu, ce n’est pas 0 : il est laissé de côté. Les héros avec moins de paires connues sont à part, car leurs estimations ne peuvent pas être comparées aux autres.",
      "Rien ne dit de combien de parties vient un chiffre. Un héros rarement pické peut avoir un chiffre élevé par hasard : ceux qui sont sous le taux de pick minimal sont donc laissés de côté. Le taux de pick est une part de tous les picks.",
      "La période est celle du taux de victoire et du taux de pick ; la source n’indique pas la période des matchups.",
      "Les lanes sont celles pour lesquelles la source liste un héros. Une lane est libre si les alliés peuvent jouer sur les autres lanes ; un héros qui a deux lanes peut jouer sur l’une ou l’autre.",
    ],
  },
  points:
    "Les points sont des points de pourcentage de taux de victoire : de combien un héros fait mieux (+) ou moins bien (−) que prévu contre un autre héros, ou avec lui. Ils ne disent pas qui gagne : un héros au taux de victoire faible peut quand même perdre la plupart de ses parties contre un héros face auquel il fait mieux que prévu. La source n’indique ni ce qu’elle prévoit, ni le nombre de parties.",
} satisfies PairMessages;
