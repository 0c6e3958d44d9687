import { type Html, html } from "../../html.ts";
import type { PairMessages } from "../messages.ts";

/** What the pages say of two heroes, in Turkish. */
export const PAIRS_TURKISH: PairMessages = {
  draft: {
    heading: "Draft",
    against: (enemies: string) => `Draft: ${enemies} karşısında`,
    with: (allies: string) => `Draft: ${allies} ile`,
    againstAndWith: (enemies: string, allies: string) => `Draft: ${enemies} karşısında, ${allies} ile`,
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
    noForecast: "Bir öngörü değildir.",
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
      "Tahmin, bir kahramanın kazanma oranından 50 yüzde puanı çıkarılıp her rakibe karşı ve her müttefikle puanlarının eklenmesidir. Ne kadar yüksekse o kadar iyidir.",
      "Bir öngörü değildir. Bir kahramanın her seferinde tek bir kahramana karşı veya onunla birlikte ne kadar iyi olduğunu toplar; buradaki hiçbir sayı beş kahramanın birlikte nasıl oynadığını söylemez.",
      "Eksik bir sayı 0 değil, bilinmeyendir: hesaba katılmaz. Bilinen ikilisi daha az olan kahramanlar ayrı durur, çünkü tahminleri diğerleriyle karşılaştırılamaz.",
      "Bir sayının kaç maçtan geldiği hiçbir yerde belirtilmez. Nadir seçilen bir kahramanın sayısı şans eseri yüksek olabilir; bu yüzden seçilme oranı, ayarlanan minimumun altında olanlar dışarıda bırakılır. Seçilme oranı, tüm seçimler içindeki paydır.",
      "Dönem, kazanma ve seçilme oranının dönemidir; kaynak eşleşmelerin dönemini belirtmez.",
      "Koridorlar, kaynağın bir kahramanı listelediği koridorlardır. Müttefikler diğer koridorlarda oynayabiliyorsa bir koridor boştur; iki koridoru olan bir kahraman ikisinden birinde oynayabilir.",
    ],
  },
  points:
    "Puanlar, kazanma oranının yüzde puanlarıdır: bir kahramanın başka bir kahramana karşı veya onunla birlikte beklenenden ne kadar iyi (+) veya kötü (−) olduğunu söyler. Kimin kazanacağını söylemez: kazanma oranı düşük bir kahraman, karşısında beklenenden iyi olduğu bir kahramana karşı yine de maçların çoğunu kaybedebilir. Kaynak ne beklediğini de maç sayısını da belirtmez.",
};
