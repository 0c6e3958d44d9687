import { html } from "../../html.ts";
import type { PairMessages } from "../messages.ts";

/** What the pages say of two heroes, in Spanish. */
export const PAIRS_SPANISH: PairMessages = {
  played: {
    label: "El otro héroe es",
    opponent: "Un enemigo",
    teamMate: "Un aliado",
    asExpected: "según lo esperado",
    worse: "peor de lo esperado",
    better: "mejor de lo esperado",
  },
  matchups: {
    heading: "Matchups",
    empty: "Esta instantánea no tiene matchups para este rango.",
    numbers: "Qué significan estos números",
    window: "La fuente tampoco indica el periodo; falta la pareja que ha coincidido muy pocas veces.",
    titleOf: {
      against: (name) => `${name} contra cada uno de los demás héroes`,
      with: (name) => `${name} con cada uno de los demás héroes`,
    },
    ofHero: {
      against: (name) => html`${name} contra cada uno de los demás héroes`,
      with: (name) => html`${name} con cada uno de los demás héroes`,
    },
    listed: {
      against: (heroes) => `Con el mejor matchup primero. Héroes: ${heroes}`,
      with: (heroes) => `Con el mejor aliado primero. Héroes: ${heroes}`,
    },
    another: "Elegir otro héroe",
    ofAll: "Todos los héroes",
    ends: {
      against: {
        caption: "Contra quién le va mejor y peor a cada héroe",
        best: "Mejor contra",
        worst: "Peor contra",
      },
      with: { caption: "Con quién le va mejor y peor a cada héroe", best: "Mejor con", worst: "Peor con" },
    },
    similarity: "Similitud",
    otherHero: "Otro héroe",
    points: "Puntos",
    drawn: "Barra",
    againstAsJson: "Contra todos, en JSON",
    withAsJson: "Con todos, en JSON",
  },
  matrix: {
    heading: "Gráfico de todas las parejas",
    label: {
      against: (heroes) => `Matriz de los héroes unos contra otros. Héroes: ${heroes}`,
      with: (heroes) => `Matriz de los héroes unos con otros. Héroes: ${heroes}`,
    },
    help: {
      against:
        "Una fila es un héroe y una columna, el otro héroe: azul si al héroe de la fila le va mejor de lo esperado contra él, naranja si le va peor.",
      with: "Una fila es un héroe y una columna, el otro héroe: azul si al héroe de la fila le va mejor de lo esperado con él, naranja si le va peor.",
    },
    keys: "Las flechas mueven la celda; RePág y AvPág, de diez en diez; Inicio y Fin, a los extremos de la fila; Intro muestra todo sobre el héroe de la fila.",
    low: (points) => `${points} puntos o menos`,
    high: (points) => `${points} puntos o más`,
    dot: "Un puntito: desconocido",
    known: {
      against: "{hero} contra {other}: {points} puntos. Fila {row} de {count}, columna {column} de {count}.",
      with: "{hero} con {other}: {points} puntos. Fila {row} de {count}, columna {column} de {count}.",
    },
    unknown: {
      against: "{hero} contra {other}: desconocido. Fila {row} de {count}, columna {column} de {count}.",
      with: "{hero} con {other}: desconocido. Fila {row} de {count}, columna {column} de {count}.",
    },
    all: "Todo sobre {hero}",
    failed: "No se pudo cargar el gráfico. Las tablas de abajo muestran las mejores y las peores parejas.",
  },
  draft: {
    heading: "Draft",
    against: (enemies) => `Draft contra ${enemies}`,
    with: (allies) => `Draft con ${allies}`,
    againstAndWith: (enemies, allies) => `Draft contra ${enemies}, con ${allies}`,
    sides: {
      enemies: { head: "Enemigos", choose: "Elegir un enemigo", mark: "Enemigo" },
      allies: { head: "Aliados", choose: "Elegir un aliado", mark: "Aliado" },
      bans: { head: "Baneos", choose: "Elegir un baneo", mark: "Baneo" },
    },
    soFar: "El draft hasta ahora",
    repeated: "Un héroe elegido más de una vez cuenta una sola vez.",
    remove: (hero) => `Quitar a ${hero}`,
    you: "Tú",
    nowChoosing: "Eligiendo ahora",
    allFilled: "Todos los espacios están ocupados",
    best: (heroes) => `En cabeza: ${heroes}`,
    seePicks: "Ver las selecciones",
    chooseByName: "Elegir por nombre",
    add: "Añadir",
    lanes: "Líneas",
    openLanes: "Líneas libres",
    open: html`libre`,
    openOr: (heroes) => html`libre / ${heroes}`,
    picks: "Selecciones",
    estimate: "Estimación",
    points: "Puntos",
    nobody: "Elige enemigos y aliados para ver una estimación. Hasta entonces, solo cuenta la tasa de victorias.",
    whatItIs: "La estimación es la tasa de victorias menos 50 %, más los puntos de cada pareja.",
    noForecast: "No es un pronóstico.",
    lacksMatchups: "Esta instantánea no tiene matchups para este rango.",
    lacksAgainst:
      "Esta instantánea no tiene puntos contra enemigos para este rango, así que los enemigos no cambian nada aquí.",
    lacksWith:
      "Esta instantánea no tiene puntos con aliados para este rango, así que los aliados no cambian nada aquí.",
    byWinRateAlone: "Los héroes se ordenan solo por tasa de victorias.",
    lacksRates: "Esta instantánea no tiene tasas de victorias para este rango y periodo.",
    more: (heroes) => `Mostrar ${heroes} más`,
    fromPlace: (caption, place) => `${caption} (desde el puesto ${place})`,
    byWinRate: (heroes) => `Por tasa de victorias. Héroes: ${heroes}`,
    withoutWinRate: (heroes) => `Sin tasa de victorias. Héroes: ${heroes}`,
    covered: (known, all, heroes) => `Parejas conocidas: ${known} de ${all}. Héroes: ${heroes}`,
    coveredLess: (known, all, heroes) =>
      `Parejas conocidas: ${known} de ${all}; no se deben comparar con los héroes de arriba. Héroes: ${heroes}`,
    withoutEstimate: (known, all, heroes) =>
      `Sin tasa de victorias, así que sin estimación; parejas conocidas: ${known} de ${all}. Héroes: ${heroes}`,
    againstHero: (hero) => html`contra ${hero}`,
    withHero: (hero) => html`con ${hero}`,
    leftOut: (heroes, least) => `Héroes omitidos, con menos del ${least} de las selecciones: ${heroes}.`,
    showThem: "Mostrarlos también",
    source: "Los puntos son los de estos endpoints, con el héroe de la fila en la ruta:",
    ratesAsJson: "Tasas de victorias y de selección en JSON",
    limits: "Qué es la estimación y qué no es",
    limitsOf: [
      "Es la tasa de victorias de un héroe menos 50 puntos porcentuales, más sus puntos contra cada enemigo y con cada aliado. Cuanto más alta, mejor.",
      "No es un pronóstico. Suma cómo le va a un héroe contra otro héroe, o con él, de uno en uno; ningún número de aquí dice cómo juegan juntos cinco héroes.",
      "Un número que falta es desconocido, no 0: no se cuenta. Los héroes con menos parejas conocidas van aparte, porque sus estimaciones no se pueden comparar con las demás.",
      "Nada dice de cuántas partidas sale un número. Un héroe que se elige poco puede tener un número alto por azar, por eso se omiten los que no llegan a la tasa de selección mínima. La tasa de selección es una proporción de todas las selecciones.",
      "El periodo es el de la tasa de victorias y la tasa de selección; la fuente no indica el periodo de los matchups.",
      "Las líneas son aquellas para las que la fuente lista a un héroe. Una línea está libre si los aliados pueden jugar en las otras líneas; un héroe con dos líneas puede jugar en cualquiera de ellas.",
    ],
  },
  points:
    "Los puntos son puntos porcentuales de tasa de victorias: cuánto mejor (+) o peor (−) de lo esperado le va a un héroe contra otro, o con él. No dicen quién gana: un héroe con una tasa de victorias baja puede perder igualmente la mayoría de las partidas contra un héroe ante el que le va mejor de lo esperado. La fuente no indica ni qué espera ni el número de partidas.",
};
