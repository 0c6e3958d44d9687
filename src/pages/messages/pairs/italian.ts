import { html } from "../../html.ts";
import type { PairMessages } from "../messages.ts";

/** What the pages say of two heroes, in Italian. */
export const PAIRS_ITALIAN: PairMessages = {
  played: {
    label: "L’altro eroe è",
    opponent: "Un nemico",
    teamMate: "Un alleato",
    asExpected: "come previsto",
    worse: "peggio del previsto",
    better: "meglio del previsto",
  },
  matchups: {
    heading: "Matchup",
    empty: "Questo snapshot non contiene matchup per questo rank.",
    numbers: "Che cosa significano questi numeri",
    window: "La fonte non indica nemmeno il periodo; manca una coppia che si è incontrata troppo di rado.",
    titleOf: {
      against: (name) => `${name} contro ognuno degli altri eroi`,
      with: (name) => `${name} con ognuno degli altri eroi`,
    },
    ofHero: {
      against: (name) => html`${name} contro ognuno degli altri eroi`,
      with: (name) => html`${name} con ognuno degli altri eroi`,
    },
    listed: {
      against: (heroes) => `Prima il matchup migliore. Eroi: ${heroes}`,
      with: (heroes) => `Prima l’alleato migliore. Eroi: ${heroes}`,
    },
    another: "Scegli un altro eroe",
    ofAll: "Tutti gli eroi",
    ends: {
      against: {
        caption: "Contro chi ogni eroe va meglio e peggio",
        best: "Meglio contro",
        worst: "Peggio contro",
      },
      with: { caption: "Con chi ogni eroe va meglio e peggio", best: "Meglio con", worst: "Peggio con" },
    },
    similarity: "Somiglianza",
    otherHero: "Altro eroe",
    points: "Punti",
    drawn: "Barra",
    againstAsJson: "Contro tutti, in JSON",
    withAsJson: "Con tutti, in JSON",
  },
  matrix: {
    heading: "Grafico di tutte le coppie",
    label: {
      against: (heroes) => `Matrice degli eroi gli uni contro gli altri. Eroi: ${heroes}`,
      with: (heroes) => `Matrice degli eroi gli uni con gli altri. Eroi: ${heroes}`,
    },
    help: {
      against:
        "Una riga è un eroe, una colonna l’altro eroe: blu se l’eroe della riga va meglio del previsto contro di lui, arancione se va peggio.",
      with: "Una riga è un eroe, una colonna l’altro eroe: blu se l’eroe della riga va meglio del previsto con lui, arancione se va peggio.",
    },
    keys: "Le frecce spostano la cella, Pag su e Pag giù di dieci, Inizio e Fine alle estremità della riga; Invio mostra tutto sull’eroe della riga.",
    low: (points) => `${points} punti o meno`,
    high: (points) => `${points} punti o più`,
    dot: "Un puntino: sconosciuto",
    known: {
      against: "{hero} contro {other}: {points} punti. Riga {row} di {count}, colonna {column} di {count}.",
      with: "{hero} con {other}: {points} punti. Riga {row} di {count}, colonna {column} di {count}.",
    },
    unknown: {
      against: "{hero} contro {other}: sconosciuto. Riga {row} di {count}, colonna {column} di {count}.",
      with: "{hero} con {other}: sconosciuto. Riga {row} di {count}, colonna {column} di {count}.",
    },
    all: "Tutto su {hero}",
    failed: "Non è stato possibile caricare il grafico. Le tabelle qui sotto mostrano le coppie migliori e peggiori.",
  },
  draft: {
    heading: "Draft",
    against: (enemies) => `Draft contro ${enemies}`,
    with: (allies) => `Draft con ${allies}`,
    againstAndWith: (enemies, allies) => `Draft contro ${enemies}, con ${allies}`,
    sides: {
      enemies: { head: "Nemici", choose: "Scegli un nemico", mark: "Nemico" },
      allies: { head: "Alleati", choose: "Scegli un alleato", mark: "Alleato" },
      bans: { head: "Ban", choose: "Scegli un ban", mark: "Ban" },
    },
    soFar: "Il draft finora",
    repeated: "Un eroe scelto più di una volta conta una volta sola.",
    remove: (hero) => `Rimuovi ${hero}`,
    you: "Tu",
    nowChoosing: "Scelta in corso",
    allFilled: "Tutti gli slot sono occupati",
    best: (heroes) => `In testa: ${heroes}`,
    seePicks: "Vedi i pick",
    chooseByName: "Scegli per nome",
    add: "Aggiungi",
    lanes: "Lane",
    openLanes: "Lane libere",
    open: html`libera`,
    openOr: (heroes) => html`libera o ${heroes}`,
    picks: "Pick",
    estimate: "Stima",
    points: "Punti",
    nobody: "Scegli nemici e alleati per vedere una stima. Fino ad allora conta solo il win rate.",
    whatItIs: "La stima è il win rate meno 50%, più i punti di ogni coppia.",
    noForecast: "Non è un pronostico.",
    lacksMatchups: "Questo snapshot non contiene matchup per questo rank.",
    lacksAgainst:
      "Questo snapshot non contiene punti contro nemici per questo rank, quindi i nemici qui non cambiano nulla.",
    lacksWith:
      "Questo snapshot non contiene punti con alleati per questo rank, quindi gli alleati qui non cambiano nulla.",
    byWinRateAlone: "Gli eroi sono ordinati solo per win rate.",
    lacksRates: "Questo snapshot non contiene win rate per questo rank e periodo.",
    more: (heroes) => `Mostrane altri: ${heroes}`,
    fromPlace: (caption, place) => `${caption} (dalla posizione ${place})`,
    byWinRate: (heroes) => `Per win rate. Eroi: ${heroes}`,
    withoutWinRate: (heroes) => `Senza win rate. Eroi: ${heroes}`,
    covered: (known, all, heroes) => `Coppie note: ${known} su ${all}. Eroi: ${heroes}`,
    coveredLess: (known, all, heroes) =>
      `Coppie note: ${known} su ${all}; da non confrontare con gli eroi qui sopra. Eroi: ${heroes}`,
    withoutEstimate: (known, all, heroes) =>
      `Senza win rate, quindi senza stima; coppie note: ${known} su ${all}. Eroi: ${heroes}`,
    againstHero: (hero) => html`contro ${hero}`,
    withHero: (hero) => html`con ${hero}`,
    leftOut: (heroes, least) => `Eroi omessi, con un pick rate inferiore a ${least}: ${heroes}.`,
    showThem: "Mostra anche questi",
    source: "I punti sono quelli di questi endpoint, con l’eroe della riga nel percorso:",
    ratesAsJson: "Win rate e pick rate in JSON",
    limits: "Che cosa è la stima e che cosa non è",
    limitsOf: [
      "È il win rate di un eroe meno 50 punti percentuali, più i suoi punti contro ogni nemico e con ogni alleato. Più è alta, meglio è.",
      "Non è un pronostico. Somma i risultati di un eroe contro un altro eroe, o con lui, uno alla volta; nessun numero qui dice come giocano insieme cinque eroi.",
      "Un numero mancante è sconosciuto, non 0: non viene contato. Gli eroi con meno coppie note stanno a parte, perché le loro stime non si possono confrontare con le altre.",
      "Nulla dice da quante partite viene un numero. Un eroe scelto di rado può avere un numero alto per caso, quindi quelli sotto il pick rate minimo vengono omessi. Il pick rate è una quota di tutti i pick.",
      "Il periodo è quello di win rate e pick rate; la fonte non indica il periodo dei matchup.",
      "Le lane sono quelle per cui la fonte elenca un eroe. Una lane è libera se gli alleati possono giocare nelle altre lane; un eroe con due lane può giocare in una qualsiasi delle due.",
    ],
  },
  points:
    "I punti sono punti percentuali di win rate: quanto meglio (+) o peggio (−) del previsto va un eroe contro un altro eroe, o con lui. Non dicono chi vince: un eroe con un win rate basso può comunque perdere la maggior parte delle partite contro un eroe che affronta meglio del previsto. La fonte non indica né che cosa prevede né il numero di partite.",
};
