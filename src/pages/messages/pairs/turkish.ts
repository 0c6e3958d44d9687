import { type Html, html } from "../../html.ts";
import type { PairMessages } from "./english.ts";

/** What the pages say of two heroes, in Turkish. */
export default {
  played: {
    label: "Diğer kahraman",
    opponent: "Rakip",
    teamMate: "Müttefik",
    asExpected: "beklendiği gibi",
    worse: "beklenenden kötü",
    better: "beklenenden iyi",
  },
  matchups: {
    asCsv: "Matris (CSV)",
    heading: "Eşleşmeler",
    empty: "Bu anlık görüntüde bu rank için eşleşme yok.",
    numbers: "Bu sayılar ne anlama geliyor",
    window: "Kaynak dönemi de belirtmez; çok seyrek bir araya gelen ikililer burada yoktur.",
    titleOf: {
      against: (name: string) => `${name}, diğer her kahramana karşı`,
      with: (name: string) => `${name}, diğer her kahramanla birlikte`,
    },
    ofHero: {
      against: (name: Html) => html`${name}, diğer her kahramana karşı`,
      with: (name: Html) => html`${name}, diğer her kahramanla birlikte`,
    },
    listed: {
      against: (heroes: number) => `En iyi eşleşme başta. Kahraman sayısı: ${heroes}`,
      with: (heroes: number) => `En iyi müttefik başta. Kahraman sayısı: ${heroes}`,
    },
    another: "Başka bir kahraman seç",
    ofAll: "Tüm kahramanlar",
    ends: {
      against: {
        caption: "Her kahramanın karşısında en iyi ve en kötü olduğu kahraman",
        best: "En iyi olduğu rakip",
        worst: "En kötü olduğu rakip",
      },
      with: {
        caption: "Her kahramanın birlikte en iyi ve en kötü olduğu kahraman",
        best: "En iyi olduğu müttefik",
        worst: "En kötü olduğu müttefik",
      },
    },
    similarity: "Benzerlik",
    otherHero: "Diğer kahraman",
    points: "Puan",
    drawn: "Grafik",
    againstAsJson: "Hepsine karşı, JSON olarak",
    withAsJson: "Hepsiyle birlikte, JSON olarak",
  },
  matrix: {
    heading: "Hepsi tek çizimde",
    label: {
      against: (heroes: number) => `Birbirine karşı kahramanların matrisi. Kahraman sayısı: ${heroes}`,
      with: (heroes: number) => `Birlikte oynayan kahramanların matrisi. Kahraman sayısı: ${heroes}`,
    },
    help: {
      against:
        "Satır bir kahraman, sütun diğer kahramandır: satırdaki kahraman diğerine karşı beklenenden iyiyse mavi, kötüyse turuncu.",
      with: "Satır bir kahraman, sütun diğer kahramandır: satırdaki kahraman diğeriyle birlikte beklenenden iyiyse mavi, kötüyse turuncu.",
    },
    keys: "Ok tuşları hücreyi birer birer, Page Up ve Page Down onar onar taşır, Home ve End satırın uçlarına götürür; Enter, satırdaki kahramanın tüm ikililerini gösterir.",
    low: (points: string) => `${points} puan veya daha az`,
    high: (points: string) => `${points} puan veya daha fazla`,
    dot: "Nokta: bilinmiyor",
    known: {
      against: "{hero}, {other} karşısında: {points} puan. Satır {row} / {count}, sütun {column} / {count}.",
      with: "{hero}, {other} ile: {points} puan. Satır {row} / {count}, sütun {column} / {count}.",
    },
    unknown: {
      against: "{hero}, {other} karşısında: bilinmiyor. Satır {row} / {count}, sütun {column} / {count}.",
      with: "{hero}, {other} ile: bilinmiyor. Satır {row} / {count}, sütun {column} / {count}.",
    },
    all: "{hero}: tüm ikililer",
    failed: "Yüklenemedi. Uç değerler aşağıdaki tablolardadır.",
  },
  draft: {
    asCsv: "Tüm seçimler (CSV)",
    heading: "Draft",
    against: (enemies: string) => `${enemies} karşısında draft`,
    with: (allies: string) => `${allies} ile draft`,
    againstAndWith: (enemies: string, allies: string) => `${enemies} karşısında, ${allies} ile draft`,
    sides: {
      enemies: { head: "Rakipler", choose: "Rakip seç", mark: "Rakip" },
      allies: { head: "Müttefikler", choose: "Müttefik seç", mark: "Müttefik" },
      bans: { head: "Banlar", choose: "Banlanacak kahramanı seç", mark: "Ban" },
    },
    soFar: "Şimdiye kadarki draft",
    repeated: "Birden fazla kez seçilen bir kahraman bir kez sayılır.",
    remove: (hero: string) => `${hero} kahramanını kaldır`,
    you: "Siz",
    nowChoosing: "Şimdi seçiliyor",
    allFilled: "Tüm yerler dolu",
    best: (heroes: string) => `En iyiler: ${heroes}`,
    seePicks: "Seçimleri gör",
    chooseByName: "Adıyla seç",
    add: "Ekle",
    lanes: "Koridorlar",
    openLanes: "Boş koridorlar",
    open: html`boş`,
    openOr: (heroes: Html) => html`boş veya ${heroes}`,
    picks: "Seçimler",
    estimate: "Tahmin",
    points: "Puan",
    nobody: "Tahmin görmek için rakip ve müttefik seçin. O zamana kadar yalnızca kazanma oranı sayılır.",
    whatItIs: "Tahmin, kazanma oranının %50 üzerindeki kısmı ile her ikilinin puanlarının toplamıdır.",
    noForecast: "Bu bir sonuç öngörüsü değildir.",
    lacksMatchups: "Bu anlık görüntüde bu rank için eşleşme yok.",
    lacksAgainst:
      "Bu anlık görüntüde bu rank için rakiplere karşı puan yok, bu yüzden rakipler burada hiçbir şeyi değiştirmez.",
    lacksWith:
      "Bu anlık görüntüde bu rank için müttefiklerle puan yok, bu yüzden müttefikler burada hiçbir şeyi değiştirmez.",
    byWinRateAlone: "Kahramanlar yalnızca kazanma oranına göre sıralanır.",
    lacksRates: "Bu anlık görüntüde bu rank ve dönem için kazanma oranı yok.",
    more: (heroes: number) => `${heroes} kahraman daha göster`,
    fromPlace: (caption: string, place: number) => `${caption}: ${place}. sıradan itibaren`,
    byWinRate: (heroes: number) => `Kazanma oranına göre. Kahraman sayısı: ${heroes}`,
    withoutWinRate: (heroes: number) => `Kazanma oranı olmayanlar. Kahraman sayısı: ${heroes}`,
    covered: (known: number, all: number, heroes: number) =>
      `Bilinen ikililer: ${known} / ${all}. Kahraman sayısı: ${heroes}`,
    coveredLess: (known: number, all: number, heroes: number) =>
      `Bilinen ikililer: ${known} / ${all}, yukarıdakilerle karşılaştırılamaz. Kahraman sayısı: ${heroes}`,
    withoutEstimate: (known: number, all: number, heroes: number) =>
      `Kazanma oranı, dolayısıyla tahmini de olmayanlar; bilinen ikililer: ${known} / ${all}. Kahraman sayısı: ${heroes}`,
    againstHero: (hero: Html) => html`${hero} karşısında`,
    withHero: (hero: Html) => html`${hero} ile`,
    leftOut: (heroes: number, least: string) =>
      `Seçimlerdeki payı ${least} değerinin altında olduğu için dışarıda bırakılan kahraman sayısı: ${heroes}.`,
    showThem: "Onları da göster",
    source: "Puanlar şu uç noktalardan gelir; yoldaki kahraman, satırdaki kahramandır:",
    ratesAsJson: "Kazanma ve seçilme oranları JSON olarak",
    limits: "Tahmin nedir, ne değildir",
    limitsOf: [
      "Tahmin, bir kahramanın kazanma oranından 50 yüzde puanı çıkarılıp her rakibe karşı ve her müttefikle puanlarının eklenmesiyle bulunur. Ne kadar yüksekse o kadar iyidir.",
      "Bu bir sonuç öngörüsü değildir. Bir kahramanın her seferinde tek bir kahramana karşı veya onunla birlikte ne kadar iyi olduğunu toplar; buradaki hiçbir sayı beş kahramanın birlikte nasıl oynadığını söylemez.",
      "Eksik bir sayı 0 değil, bilinmeyendir: hesaba katılmaz. Bilinen ikilisi daha az olan kahramanlar ayrı durur, çünkü tahminleri diğerleriyle karşılaştırılamaz.",
      "Bir sayının kaç maçtan geldiği hiçbir yerde belirtilmez. Nadir seçilen bir kahramanın sayısı şans eseri yüksek olabilir; bu yüzden seçilme oranı, ayarlanan minimumun altında olanlar dışarıda bırakılır. Seçilme oranı, tüm seçimler içindeki paydır.",
      "Dönem, kazanma ve seçilme oranının dönemidir; kaynak eşleşmelerin dönemini belirtmez.",
      "Koridorlar, kaynağın bir kahramanı listelediği koridorlardır. Müttefikler diğer koridorlarda oynayabiliyorsa bir koridor boştur; iki koridoru olan bir kahraman ikisinden birinde oynayabilir.",
    ],
  },
  points:
    "Puanlar, kazanma oranının yüzde puanlarıdır: bir kahramanın başka bir kahramana karşı veya onunla birlikte beklenenden ne kadar iyi (+) veya kötü (−) olduğunu söyler. Kimin kazanacağını söylemez: kazanma oranı düşük bir kahraman, karşısında beklenenden iyi olduğu bir kahramana karşı yine de maçların çoğunu kaybedebilir. Kaynak ne beklediğini de maç sayısını da belirtmez.",
} satisfies PairMessages;
