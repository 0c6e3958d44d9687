import { type Html, html } from "../../html.ts";
import type { PairMessages } from "./english.ts";

/** What the pages say of two heroes, in Korean. */
export default {
  played: {
    label: "다른 영웅은",
    opponent: "상대",
    teamMate: "아군",
    asExpected: "예상과 같음",
    worse: "예상보다 나쁨",
    better: "예상보다 좋음",
  },
  matchups: {
    asCsv: "상성표(CSV)",
    heading: "상성",
    empty: "이 스냅샷에는 이 랭크의 상성이 없습니다.",
    numbers: "수치 설명",
    window: "데이터 제공처는 집계 기간도 밝히지 않습니다. 함께 나온 경기가 너무 적은 조합은 빠져 있습니다.",
    titleOf: {
      against: (name: string) => `${name}의 상대별 상성`,
      with: (name: string) => `${name}의 아군별 상성`,
    },
    ofHero: {
      against: (name: Html) => html`${name}의 상대별 상성`,
      with: (name: Html) => html`${name}의 아군별 상성`,
    },
    listed: {
      against: (heroes: number) => `상대하기 가장 좋은 순. 영웅: ${heroes}명`,
      with: (heroes: number) => `가장 잘 맞는 아군 순. 영웅: ${heroes}명`,
    },
    another: "다른 영웅 선택",
    ofAll: "모든 영웅",
    ends: {
      against: {
        caption: "각 영웅이 상대하기 가장 좋은 영웅과 가장 나쁜 영웅",
        best: "가장 좋은 상대",
        worst: "가장 나쁜 상대",
      },
      with: {
        caption: "각 영웅과 가장 잘 맞는 아군과 가장 안 맞는 아군",
        best: "가장 잘 맞는 아군",
        worst: "가장 안 맞는 아군",
      },
    },
    similarity: "유사도",
    otherHero: "다른 영웅",
    points: "포인트",
    drawn: "그래프",
    againstAsJson: "모든 상대와의 상성을 JSON으로",
    withAsJson: "모든 아군과의 상성을 JSON으로",
  },
  matrix: {
    heading: "모든 조합 한눈에 보기",
    label: {
      against: (heroes: number) => `영웅끼리 상대할 때의 상성표. 영웅: ${heroes}명`,
      with: (heroes: number) => `영웅끼리 아군일 때의 상성표. 영웅: ${heroes}명`,
    },
    help: {
      against:
        "행은 영웅, 열은 다른 영웅입니다. 행의 영웅이 열의 영웅을 상대할 때 예상보다 잘하면 파란색, 못하면 주황색입니다.",
      with: "행은 영웅, 열은 다른 영웅입니다. 행의 영웅이 열의 영웅과 아군일 때 예상보다 잘하면 파란색, 못하면 주황색입니다.",
    },
    keys: "화살표 키로 칸을 옮기고, Page Up과 Page Down으로 10칸씩, Home과 End로 행의 양 끝으로 이동합니다. Enter를 누르면 그 영웅의 모든 상성을 보여 줍니다.",
    low: (points: string) => `${points}포인트 이하`,
    high: (points: string) => `${points}포인트 이상`,
    dot: "점: 알 수 없음",
    known: {
      against: "{hero}, 상대 {other}: {points}포인트. {count}행 중 {row}행, {count}열 중 {column}열.",
      with: "{hero}, 아군 {other}: {points}포인트. {count}행 중 {row}행, {count}열 중 {column}열.",
    },
    unknown: {
      against: "{hero}, 상대 {other}: 알 수 없음. {count}행 중 {row}행, {count}열 중 {column}열.",
      with: "{hero}, 아군 {other}: 알 수 없음. {count}행 중 {row}행, {count}열 중 {column}열.",
    },
    all: "{hero}의 모든 상성",
    failed: "불러오지 못했습니다. 아래 표에 가장 좋은 조합과 가장 나쁜 조합이 있습니다.",
  },
  draft: {
    asCsv: "모든 픽(CSV)",
    heading: "밴픽",
    against: (enemies: string) => `${enemies} 상대 밴픽`,
    with: (allies: string) => `${allies} 아군 밴픽`,
    againstAndWith: (enemies: string, allies: string) => `${enemies} 상대, ${allies} 아군 밴픽`,
    sides: {
      enemies: { head: "적", choose: "적 선택", mark: "적" },
      allies: { head: "아군", choose: "아군 선택", mark: "아군" },
      bans: { head: "밴", choose: "밴 선택", mark: "밴" },
    },
    soFar: "현재 밴픽",
    repeated: "두 번 이상 선택된 영웅은 한 번만 셉니다.",
    remove: (hero: string) => `${hero} 빼기`,
    you: "나",
    nowChoosing: "선택 중",
    allFilled: "모든 자리가 찼습니다",
    best: (heroes: string) => `상위: ${heroes}`,
    seePicks: "픽 후보 보기",
    chooseByName: "이름으로 선택",
    add: "추가",
    lanes: "라인",
    openLanes: "빈 라인",
    open: html`비어 있음`,
    openOr: (heroes: Html) => html`비어 있음 또는 ${heroes}`,
    picks: "픽 후보",
    estimate: "추정치",
    points: "포인트",
    nobody: "적과 아군을 선택하면 추정치가 나옵니다. 그전까지는 승률만 반영됩니다.",
    whatItIs: "추정치는 승률에서 50%를 넘는 만큼에 각 조합의 포인트를 더한 값입니다.",
    noForecast: "예측이 아닙니다.",
    lacksMatchups: "이 스냅샷에는 이 랭크의 상성이 없습니다.",
    lacksAgainst:
      "이 스냅샷에는 이 랭크에서 상대에 대한 포인트가 없으므로, 여기에서는 적을 선택해도 달라지는 것이 없습니다.",
    lacksWith:
      "이 스냅샷에는 이 랭크에서 아군과의 포인트가 없으므로, 여기에서는 아군을 선택해도 달라지는 것이 없습니다.",
    byWinRateAlone: "영웅 순위는 승률로만 정합니다.",
    lacksRates: "이 스냅샷에는 이 랭크와 집계 기간의 승률이 없습니다.",
    more: (heroes: number) => `${heroes}명 더 보기`,
    fromPlace: (caption: string, place: number) => `${caption}: ${place}위부터`,
    byWinRate: (heroes: number) => `승률순. 영웅: ${heroes}명`,
    withoutWinRate: (heroes: number) => `승률 없음. 영웅: ${heroes}명`,
    covered: (known: number, all: number, heroes: number) => `조합 ${all}개 중 ${known}개 확인됨. 영웅: ${heroes}명`,
    coveredLess: (known: number, all: number, heroes: number) =>
      `조합 ${all}개 중 ${known}개 확인됨, 위의 영웅과 비교할 수 없음. 영웅: ${heroes}명`,
    withoutEstimate: (known: number, all: number, heroes: number) =>
      `승률이 없어 추정치도 없음. 조합 ${all}개 중 ${known}개 확인됨. 영웅: ${heroes}명`,
    againstHero: (hero: Html) => html`적: ${hero}`,
    withHero: (hero: Html) => html`아군: ${hero}`,
    leftOut: (heroes: number, least: string) => `전체 픽의 ${least} 미만이라 제외된 영웅: ${heroes}명.`,
    showThem: "제외된 영웅도 보기",
    source: "포인트는 다음 엔드포인트의 값이며, 경로에는 행의 영웅이 들어갑니다:",
    ratesAsJson: "승률과 픽률을 JSON으로",
    limits: "추정치가 나타내는 것과 나타내지 않는 것",
    limitsOf: [
      "영웅의 승률에서 50퍼센트포인트를 빼고, 각 적을 상대할 때의 포인트와 각 아군과 함께할 때의 포인트를 더한 값입니다. 클수록 좋습니다.",
      "예측이 아닙니다. 한 번에 다른 영웅 한 명을 상대하거나 그 영웅과 아군일 때 어떤지를 더한 값일 뿐입니다. 영웅 다섯 명이 함께 어떻게 싸우는지를 알려 주는 수치는 여기에 없습니다.",
      "빠진 수치는 0이 아니라 알 수 없는 것이므로 계산에서 제외합니다. 확인된 조합이 적은 영웅은 추정치를 다른 영웅과 비교할 수 없으므로 따로 보여 줍니다.",
      "수치가 몇 경기에서 나왔는지는 어디에도 나와 있지 않습니다. 픽이 드문 영웅은 우연히 수치가 높을 수 있으므로, 최소 픽률보다 낮은 영웅은 제외합니다. 픽률은 전체 픽에서 차지하는 비율입니다.",
      "집계 기간은 승률과 픽률에 적용됩니다. 데이터 제공처는 상성의 집계 기간을 밝히지 않습니다.",
      "라인은 데이터 제공처가 영웅에 대해 제시한 라인입니다. 아군이 모두 다른 라인에서 플레이할 수 있으면 그 라인은 비어 있는 것으로 봅니다. 라인이 둘인 영웅은 어느 쪽에서든 플레이할 수 있습니다.",
    ],
  },
  points:
    "포인트는 승률의 퍼센트포인트입니다. 영웅이 다른 영웅을 상대할 때 또는 그 영웅과 아군일 때 예상보다 얼마나 잘하는지(+) 못하는지(−)를 나타냅니다. 누가 이기는지를 나타내지는 않습니다. 승률이 낮은 영웅은 자신이 예상보다 좋은 성적을 내는 상대에게도 대부분의 경기에서 질 수 있습니다. 데이터 제공처는 무엇을 예상하는지도, 경기 수도 밝히지 않습니다.",
} satisfies PairMessages;
