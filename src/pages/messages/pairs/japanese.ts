import { type Html, html } from "../../html.ts";
import type { PairMessages } from "./english.ts";

/** What the pages say of two heroes, in Japanese. */
export default {
  played: {
    label: "もう一方のヒーローは",
    opponent: "対戦相手",
    teamMate: "味方",
    asExpected: "期待どおり",
    worse: "期待より悪い",
    better: "期待より良い",
  },
  matchups: {
    asCsv: "相性表（CSV）",
    heading: "相性",
    empty: "このスナップショットには、このランクの相性がありません。",
    numbers: "数値の見方",
    window: "データ提供元は、集計期間も明らかにしていません。顔を合わせた試合が少なすぎる組み合わせは載っていません。",
    titleOf: {
      against: (name: string) => `${name}と各対戦相手の相性`,
      with: (name: string) => `${name}と各味方の相性`,
    },
    ofHero: {
      against: (name: Html) => html`${name}と各対戦相手の相性`,
      with: (name: Html) => html`${name}と各味方の相性`,
    },
    listed: {
      against: (heroes: number) => `相性の良い対戦相手から順に。ヒーロー：${heroes}体`,
      with: (heroes: number) => `相性の良い味方から順に。ヒーロー：${heroes}体`,
    },
    another: "別のヒーローを選ぶ",
    ofAll: "全ヒーロー",
    ends: {
      against: {
        caption: "各ヒーローが最も得意な相手と最も苦手な相手",
        best: "最も得意な相手",
        worst: "最も苦手な相手",
      },
      with: {
        caption: "各ヒーローと最も相性の良い味方、最も相性の悪い味方",
        best: "最も良い味方",
        worst: "最も悪い味方",
      },
    },
    similarity: "類似度",
    otherHero: "もう一方のヒーロー",
    points: "ポイント",
    drawn: "グラフ",
    againstAsJson: "全対戦相手との相性をJSONで",
    withAsJson: "全味方との相性をJSONで",
  },
  matrix: {
    heading: "全組み合わせの図",
    label: {
      against: (heroes: number) => `ヒーロー同士の、敵としての相性表。ヒーロー：${heroes}体`,
      with: (heroes: number) => `ヒーロー同士の、味方としての相性表。ヒーロー：${heroes}体`,
    },
    help: {
      against:
        "行がヒーロー、列がもう一方のヒーローです。行のヒーローが、列のヒーローを相手に期待より良ければ青、悪ければオレンジです。",
      with: "行がヒーロー、列がもう一方のヒーローです。行のヒーローが、列のヒーローを味方に期待より良ければ青、悪ければオレンジです。",
    },
    keys: "矢印キーでセルを移動し、Page UpとPage Downで10セルずつ、HomeとEndで行の端へ移動します。Enterでそのヒーローの全相性を表示します。",
    low: (points: string) => `${points}ポイント以下`,
    high: (points: string) => `${points}ポイント以上`,
    dot: "点：不明",
    known: {
      against: "{hero}（敵：{other}）：{points}ポイント。{count}行中{row}行目、{count}列中{column}列目。",
      with: "{hero}（味方：{other}）：{points}ポイント。{count}行中{row}行目、{count}列中{column}列目。",
    },
    unknown: {
      against: "{hero}（敵：{other}）：不明。{count}行中{row}行目、{count}列中{column}列目。",
      with: "{hero}（味方：{other}）：不明。{count}行中{row}行目、{count}列中{column}列目。",
    },
    all: "{hero}の全相性",
    failed: "読み込めませんでした。下の表に、最も良い組み合わせと最も悪い組み合わせがあります。",
  },
  draft: {
    asCsv: "すべてのピック（CSV）",
    heading: "ドラフト",
    against: (enemies: string) => `${enemies}が敵のドラフト`,
    with: (allies: string) => `${allies}が味方のドラフト`,
    againstAndWith: (enemies: string, allies: string) => `${enemies}が敵、${allies}が味方のドラフト`,
    sides: {
      enemies: { head: "敵", choose: "敵を選ぶ", mark: "敵" },
      allies: { head: "味方", choose: "味方を選ぶ", mark: "味方" },
      bans: { head: "BAN", choose: "BANするヒーローを選ぶ", mark: "BAN" },
    },
    soFar: "現在のドラフト",
    repeated: "2回以上選ばれたヒーローは、1回として数えます。",
    remove: (hero: string) => `${hero}を外す`,
    you: "あなた",
    nowChoosing: "選択中",
    allFilled: "すべての枠が埋まりました",
    best: (heroes: string) => `上位：${heroes}`,
    seePicks: "ピック候補を見る",
    chooseByName: "名前で選ぶ",
    add: "追加",
    lanes: "レーン",
    openLanes: "空きレーン",
    open: html`空き`,
    openOr: (heroes: Html) => html`空きまたは${heroes}`,
    picks: "ピック候補",
    estimate: "推定値",
    points: "ポイント",
    nobody: "敵と味方を選ぶと、推定値が表示されます。それまでは勝率だけを使います。",
    whatItIs: "推定値は、勝率のうち50%を超える分に、それぞれの組み合わせのポイントを足したものです。",
    noForecast: "予測ではありません。",
    lacksMatchups: "このスナップショットには、このランクの相性がありません。",
    lacksAgainst:
      "このスナップショットには、このランクでの対戦相手に対するポイントがないため、ここでは敵を選んでも何も変わりません。",
    lacksWith:
      "このスナップショットには、このランクでの味方とのポイントがないため、ここでは味方を選んでも何も変わりません。",
    byWinRateAlone: "ヒーローの順位は勝率だけで決めています。",
    lacksRates: "このスナップショットには、このランクと集計期間の勝率がありません。",
    more: (heroes: number) => `さらに${heroes}体を表示`,
    fromPlace: (caption: string, place: number) => `${caption}：${place}位から`,
    byWinRate: (heroes: number) => `勝率順。ヒーロー：${heroes}体`,
    withoutWinRate: (heroes: number) => `勝率なし。ヒーロー：${heroes}体`,
    covered: (known: number, all: number, heroes: number) =>
      `${all}組のうち${known}組の組み合わせが判明。ヒーロー：${heroes}体`,
    coveredLess: (known: number, all: number, heroes: number) =>
      `${all}組のうち${known}組の組み合わせが判明、上のヒーローとは比較できません。ヒーロー：${heroes}体`,
    withoutEstimate: (known: number, all: number, heroes: number) =>
      `勝率がないため推定値もなし。${all}組のうち${known}組の組み合わせが判明。ヒーロー：${heroes}体`,
    againstHero: (hero: Html) => html`敵：${hero}`,
    withHero: (hero: Html) => html`味方：${hero}`,
    leftOut: (heroes: number, least: string) => `全ピックの${least}未満のため除外したヒーロー：${heroes}体。`,
    showThem: "除外したヒーローも表示",
    source: "ポイントは次のエンドポイントのものです。パスには行のヒーローが入ります：",
    ratesAsJson: "勝率とピック率をJSONで",
    limits: "推定値が表すもの、表さないもの",
    limitsOf: [
      "ヒーローの勝率から50パーセントポイントを引き、敵それぞれに対するポイントと、味方それぞれとのポイントを足したものです。大きいほど良い値です。",
      "予測ではありません。ほかのヒーロー1体ずつと、敵または味方として戦うときの成績を足し合わせたものです。5体のヒーローが一緒にどう戦うかを表す数値は、ここにはありません。",
      "欠けている数値は不明なのであって、0ではありません。そのため計算から除きます。判明している組み合わせが少ないヒーローは、推定値をほかのヒーローと比較できないため、別に並べています。",
      "それぞれの数値が何試合分なのかは、どこにも示されていません。あまりピックされないヒーローは偶然で数値が高くなることがあるため、最低ピック率に満たないヒーローは除外しています。ピック率は全ピックに占める割合です。",
      "集計期間は、勝率とピック率のものです。相性の集計期間は、データ提供元が明らかにしていません。",
      "レーンは、データ提供元がそのヒーローに挙げているものです。味方全員がほかのレーンでプレイできるなら、そのレーンは空きです。2つのレーンがあるヒーローは、どちらでもプレイできます。",
    ],
  },
  points:
    "ポイントは勝率のパーセントポイントです。あるヒーローが、別のヒーローと敵または味方として戦うときに、期待よりどれだけ良い（+）か悪い（−）かを表します。どちらが勝つかを表すものではありません。勝率の低いヒーローは、期待より良い結果を出している相手に対しても、ほとんどの試合で負けていることがあります。データ提供元は、何を期待値としているかも、試合数も明らかにしていません。",
} satisfies PairMessages;
