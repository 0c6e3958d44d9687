import { html } from "../../html.ts";
import type { PairMessages } from "./english.ts";

/** What the pages say of two heroes, in German. */
export default {
  played: {
    label: "Der andere Held ist",
    opponent: "Gegner",
    teamMate: "Verbündeter",
    asExpected: "wie erwartet",
    worse: "schlechter als erwartet",
    better: "besser als erwartet",
  },
  matchups: {
    asCsv: "Matrix als CSV",
    heading: "Matchups",
    empty: "Dieser Snapshot enthält keine Matchups für diesen Rang.",
    numbers: "Was diese Zahlen bedeuten",
    window: "Auch den Zeitraum nennt die Quelle nicht; eine Paarung, die zu selten vorkam, fehlt.",
    titleOf: {
      against: (name) => `${name} gegen jeden anderen Helden`,
      with: (name) => `${name} mit jedem anderen Helden`,
    },
    ofHero: {
      against: (name) => html`${name} gegen jeden anderen Helden`,
      with: (name) => html`${name} mit jedem anderen Helden`,
    },
    listed: {
      against: (heroes) => `Das beste Matchup zuerst. Helden: ${heroes}`,
      with: (heroes) => `Der beste Verbündete zuerst. Helden: ${heroes}`,
    },
    another: "Anderen Helden wählen",
    ofAll: "Alle Helden",
    ends: {
      against: {
        caption: "Gegen wen jeder Held am besten und am schlechtesten abschneidet",
        best: "Am besten gegen",
        worst: "Am schlechtesten gegen",
      },
      with: {
        caption: "Mit wem jeder Held am besten und am schlechtesten abschneidet",
        best: "Am besten mit",
        worst: "Am schlechtesten mit",
      },
    },
    similarity: "Ähnlichkeit",
    otherHero: "Anderer Held",
    points: "Punkte",
    drawn: "Balken",
    againstAsJson: "Gegen alle, als JSON",
    withAsJson: "Mit allen, als JSON",
  },
  matrix: {
    heading: "Alle Paarungen als Diagramm",
    label: {
      against: (heroes) => `Matrix der Helden gegeneinander. Helden: ${heroes}`,
      with: (heroes) => `Matrix der Helden miteinander. Helden: ${heroes}`,
    },
    help: {
      against:
        "Eine Zeile ist ein Held, eine Spalte der andere Held: blau, wenn der Held der Zeile gegen ihn besser abschneidet als erwartet, orange, wenn schlechter.",
      with: "Eine Zeile ist ein Held, eine Spalte der andere Held: blau, wenn der Held der Zeile mit ihm besser abschneidet als erwartet, orange, wenn schlechter.",
    },
    keys: "Die Pfeiltasten bewegen die Zelle, Bild auf und Bild ab um zehn, Pos1 und Ende an die Enden der Zeile; die Eingabetaste zeigt alles zum Helden der Zeile.",
    low: (points) => `${points} Punkte oder weniger`,
    high: (points) => `${points} Punkte oder mehr`,
    dot: "Kleiner Punkt: unbekannt",
    known: {
      against: "{hero} gegen {other}: {points} Punkte. Zeile {row} von {count}, Spalte {column} von {count}.",
      with: "{hero} mit {other}: {points} Punkte. Zeile {row} von {count}, Spalte {column} von {count}.",
    },
    unknown: {
      against: "{hero} gegen {other}: unbekannt. Zeile {row} von {count}, Spalte {column} von {count}.",
      with: "{hero} mit {other}: unbekannt. Zeile {row} von {count}, Spalte {column} von {count}.",
    },
    all: "Alles zu {hero}",
    failed:
      "Das Diagramm konnte nicht geladen werden. Die Tabellen unten zeigen die besten und die schlechtesten Paarungen.",
  },
  draft: {
    asCsv: "Alle Picks als CSV",
    heading: "Draft",
    against: (enemies) => `Draft gegen ${enemies}`,
    with: (allies) => `Draft mit ${allies}`,
    againstAndWith: (enemies, allies) => `Draft gegen ${enemies}, mit ${allies}`,
    sides: {
      enemies: { head: "Gegner", choose: "Gegner wählen", mark: "Gegner" },
      allies: { head: "Verbündete", choose: "Verbündeten wählen", mark: "Verbündet" },
      bans: { head: "Bans", choose: "Ban wählen", mark: "Ban" },
    },
    soFar: "Der Draft bisher",
    repeated: "Ein mehrfach gewählter Held zählt einmal.",
    remove: (hero) => `${hero} entfernen`,
    you: "Du",
    nowChoosing: "Auswahl für",
    allFilled: "Alle Slots sind belegt",
    best: (heroes) => `Am besten: ${heroes}`,
    seePicks: "Picks ansehen",
    chooseByName: "Nach Namen wählen",
    add: "Hinzufügen",
    lanes: "Lanes",
    openLanes: "Freie Lanes",
    open: html`frei`,
    openOr: (heroes) => html`frei oder ${heroes}`,
    picks: "Picks",
    estimate: "Schätzung",
    points: "Punkte",
    nobody: "Wähle Gegner und Verbündete, um eine Schätzung zu sehen. Bis dahin zählt nur die Winrate.",
    whatItIs: "Die Schätzung ist die Winrate minus 50 % plus die Punkte jeder Paarung.",
    noForecast: "Sie ist keine Vorhersage.",
    lacksMatchups: "Dieser Snapshot enthält keine Matchups für diesen Rang.",
    lacksAgainst:
      "Dieser Snapshot enthält keine Punkte gegen Gegner für diesen Rang; die gewählten Gegner ändern hier also nichts.",
    lacksWith:
      "Dieser Snapshot enthält keine Punkte mit Verbündeten für diesen Rang; die gewählten Verbündeten ändern hier also nichts.",
    byWinRateAlone: "Die Helden sind nur nach Winrate geordnet.",
    lacksRates: "Dieser Snapshot enthält keine Winrates für diesen Rang und Zeitraum.",
    more: (heroes) => `Weitere anzeigen: ${heroes}`,
    fromPlace: (caption, place) => `${caption} (ab Platz ${place})`,
    byWinRate: (heroes) => `Nach Winrate. Helden: ${heroes}`,
    withoutWinRate: (heroes) => `Ohne Winrate. Helden: ${heroes}`,
    covered: (known, all, heroes) => `Bekannte Paarungen: ${known} von ${all}. Helden: ${heroes}`,
    coveredLess: (known, all, heroes) =>
      `Bekannte Paarungen: ${known} von ${all}, nicht mit den Helden darüber vergleichbar. Helden: ${heroes}`,
    withoutEstimate: (known, all, heroes) =>
      `Ohne Winrate, also ohne Schätzung; bekannte Paarungen: ${known} von ${all}. Helden: ${heroes}`,
    againstHero: (hero) => html`gegen ${hero}`,
    withHero: (hero) => html`mit ${hero}`,
    leftOut: (heroes, least) => `Ausgelassene Helden mit weniger als ${least} der Picks: ${heroes}.`,
    showThem: "Auch diese anzeigen",
    source: "Die Punkte sind die dieser Endpunkte, mit dem Helden der Zeile im Pfad:",
    ratesAsJson: "Winrates und Pickrates als JSON",
    limits: "Was die Schätzung ist und was nicht",
    limitsOf: [
      "Sie ist die Winrate eines Helden minus 50 Prozentpunkte, plus seine Punkte gegen jeden Gegner und mit jedem Verbündeten. Mehr ist besser.",
      "Sie ist keine Vorhersage. Sie zählt zusammen, wie ein Held gegen jeweils einen anderen Helden oder mit ihm abschneidet; keine Zahl hier sagt, wie fünf Helden zusammen spielen.",
      "Eine fehlende Zahl ist unbekannt, nicht 0: Sie wird weggelassen. Helden mit weniger bekannten Paarungen stehen getrennt, weil ihre Schätzungen nicht mit den anderen vergleichbar sind.",
      "Nirgends steht, aus wie vielen Matches eine Zahl stammt. Ein selten gepickter Held kann durch Zufall eine hohe Zahl haben, deshalb werden Helden unter der Mindest-Pickrate ausgelassen. Die Pickrate ist ein Anteil an allen Picks.",
      "Der Zeitraum ist der von Winrate und Pickrate; den Zeitraum der Matchups nennt die Quelle nicht.",
      "Die Lanes sind die, für die die Quelle einen Helden aufführt. Eine Lane ist frei, wenn die Verbündeten auf den anderen Lanes spielen können; ein Held mit zwei Lanes kann auf jeder von beiden spielen.",
    ],
  },
  points:
    "Punkte sind Prozentpunkte der Winrate: um wie viel besser (+) oder schlechter (−) als erwartet ein Held gegen einen anderen Helden oder mit ihm abschneidet. Sie sagen nicht, wer gewinnt: Ein Held mit niedriger Winrate kann trotzdem die meisten Matches gegen einen Helden verlieren, gegen den er besser als erwartet abschneidet. Die Quelle nennt weder, was sie erwartet, noch die Zahl der Matches.",
} satisfies PairMessages;
