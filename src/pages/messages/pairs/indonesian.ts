import { type Html, html } from "../../html.ts";
import type { PairMessages } from "./english.ts";

/** What the pages say of two heroes, in Indonesian. */
export default {
  played: {
    label: "Hero lain sebagai",
    opponent: "Musuh",
    teamMate: "Rekan tim",
    asExpected: "sesuai perkiraan",
    worse: "lebih buruk dari perkiraan",
    better: "lebih baik dari perkiraan",
  },
  matchups: {
    asCsv: "Matriks sebagai CSV",
    heading: "Matchup",
    empty: "Snapshot ini tidak memiliki matchup untuk rank ini.",
    numbers: "Arti angka-angka ini",
    window: "Sumber juga tidak menyebutkan periodenya; pasangan yang terlalu jarang bertemu tidak ada di sini.",
    titleOf: {
      against: (name: string) => `${name} melawan setiap hero lain`,
      with: (name: string) => `${name} bersama setiap hero lain`,
    },
    ofHero: {
      against: (name: Html) => html`${name} melawan setiap hero lain`,
      with: (name: Html) => html`${name} bersama setiap hero lain`,
    },
    listed: {
      against: (heroes: number) => `Matchup terbaik lebih dulu. Hero: ${heroes}`,
      with: (heroes: number) => `Rekan tim terbaik lebih dulu. Hero: ${heroes}`,
    },
    another: "Pilih hero lain",
    ofAll: "Semua hero",
    ends: {
      against: {
        caption: "Hero yang dilawan setiap hero dengan hasil terbaik dan terburuk",
        best: "Terbaik melawan",
        worst: "Terburuk melawan",
      },
      with: {
        caption: "Rekan tim setiap hero dengan hasil terbaik dan terburuk",
        best: "Terbaik bersama",
        worst: "Terburuk bersama",
      },
    },
    similarity: "Kemiripan",
    otherHero: "Hero lain",
    points: "Poin",
    drawn: "Grafik",
    againstAsJson: "Melawan semua, sebagai JSON",
    withAsJson: "Bersama semua, sebagai JSON",
  },
  matrix: {
    heading: "Semuanya dalam satu gambar",
    label: {
      against: (heroes: number) => `Matriks hero yang saling melawan. Hero: ${heroes}`,
      with: (heroes: number) => `Matriks hero yang bermain bersama. Hero: ${heroes}`,
    },
    help: {
      against:
        "Baris adalah hero, kolom adalah hero lain: biru jika hasil hero di baris saat melawannya lebih baik dari perkiraan, oranye jika lebih buruk.",
      with: "Baris adalah hero, kolom adalah hero lain: biru jika hasil hero di baris saat bersamanya lebih baik dari perkiraan, oranye jika lebih buruk.",
    },
    keys: "Tombol panah memindahkan sel, Page Up dan Page Down sejauh sepuluh, Home dan End ke ujung-ujung baris; Enter menampilkan semua pasangan hero di baris itu.",
    low: (points: string) => `${points} poin atau kurang`,
    high: (points: string) => `${points} poin atau lebih`,
    dot: "Titik: tidak diketahui",
    known: {
      against: "{hero} melawan {other}: {points} poin. Baris {row} dari {count}, kolom {column} dari {count}.",
      with: "{hero} bersama {other}: {points} poin. Baris {row} dari {count}, kolom {column} dari {count}.",
    },
    unknown: {
      against: "{hero} melawan {other}: tidak diketahui. Baris {row} dari {count}, kolom {column} dari {count}.",
      with: "{hero} bersama {other}: tidak diketahui. Baris {row} dari {count}, kolom {column} dari {count}.",
    },
    all: "Semua pasangan {hero}",
    failed: "Gagal dimuat. Nilai-nilai ujungnya ada di tabel di bawah.",
  },
  draft: {
    asCsv: "Semua pick sebagai CSV",
    heading: "Draft",
    against: (enemies: string) => `Draft melawan ${enemies}`,
    with: (allies: string) => `Draft bersama ${allies}`,
    againstAndWith: (enemies: string, allies: string) => `Draft melawan ${enemies}, bersama ${allies}`,
    sides: {
      enemies: { head: "Musuh", choose: "Pilih musuh", mark: "Musuh" },
      allies: { head: "Rekan tim", choose: "Pilih rekan tim", mark: "Rekan" },
      bans: { head: "Ban", choose: "Pilih hero yang di-ban", mark: "Ban" },
    },
    soFar: "Draft sejauh ini",
    repeated: "Hero yang dipilih lebih dari sekali dihitung satu kali.",
    remove: (hero: string) => `Hapus ${hero}`,
    you: "Anda",
    nowChoosing: "Sedang memilih",
    allFilled: "Semua slot terisi",
    best: (heroes: string) => `Terbaik: ${heroes}`,
    seePicks: "Lihat pick",
    chooseByName: "Pilih menurut nama",
    add: "Tambah",
    lanes: "Lane",
    openLanes: "Lane kosong",
    open: html`kosong`,
    openOr: (heroes: Html) => html`kosong atau ${heroes}`,
    picks: "Pick",
    estimate: "Estimasi",
    points: "Poin",
    nobody: "Pilih musuh dan rekan tim untuk melihat estimasi. Sebelum itu hanya win rate yang dihitung.",
    whatItIs: "Estimasi adalah win rate di atas 50% ditambah poin setiap pasangan.",
    noForecast: "Ini bukan prediksi.",
    lacksMatchups: "Snapshot ini tidak memiliki matchup untuk rank ini.",
    lacksAgainst:
      "Snapshot ini tidak memiliki poin melawan musuh untuk rank ini, jadi musuh tidak mengubah apa pun di sini.",
    lacksWith:
      "Snapshot ini tidak memiliki poin bersama rekan tim untuk rank ini, jadi rekan tim tidak mengubah apa pun di sini.",
    byWinRateAlone: "Hero diurutkan menurut win rate saja.",
    lacksRates: "Snapshot ini tidak memiliki win rate untuk rank dan periode ini.",
    more: (heroes: number) => `Tampilkan ${heroes} lagi`,
    fromPlace: (caption: string, place: number) => `${caption}: mulai peringkat ${place}`,
    byWinRate: (heroes: number) => `Menurut win rate. Hero: ${heroes}`,
    withoutWinRate: (heroes: number) => `Tanpa win rate. Hero: ${heroes}`,
    covered: (known: number, all: number, heroes: number) => `${known} dari ${all} pasangan diketahui. Hero: ${heroes}`,
    coveredLess: (known: number, all: number, heroes: number) =>
      `${known} dari ${all} pasangan diketahui, tidak bisa dibandingkan dengan yang di atas. Hero: ${heroes}`,
    withoutEstimate: (known: number, all: number, heroes: number) =>
      `Tanpa win rate, jadi tanpa estimasi; ${known} dari ${all} pasangan diketahui. Hero: ${heroes}`,
    againstHero: (hero: Html) => html`melawan ${hero}`,
    withHero: (hero: Html) => html`bersama ${hero}`,
    leftOut: (heroes: number, least: string) =>
      `Tidak disertakan karena kurang dari ${least} dari semua pick: ${heroes} hero.`,
    showThem: "Tampilkan juga",
    source: "Poin berasal dari endpoint ini, dengan hero di baris sebagai hero di path:",
    ratesAsJson: "Win rate dan pick rate sebagai JSON",
    limits: "Apa yang ditunjukkan estimasi, dan apa yang tidak",
    limitsOf: [
      "Ini adalah win rate hero dikurangi 50 poin persentase, ditambah poinnya melawan setiap musuh dan bersama setiap rekan tim. Makin besar makin baik.",
      "Ini bukan prediksi. Estimasi menjumlahkan hasil hero saat melawan, atau bersama, satu hero lain setiap kalinya; tidak ada angka di sini yang menunjukkan bagaimana lima hero bermain bersama.",
      "Angka yang tidak ada berarti tidak diketahui, bukan 0: angka itu tidak dihitung. Hero dengan lebih sedikit pasangan yang diketahui dipisahkan, karena estimasinya tidak bisa dibandingkan dengan yang lain.",
      "Tidak ada keterangan dari berapa match sebuah angka berasal. Hero yang jarang di-pick bisa punya angka tinggi karena kebetulan, jadi hero di bawah pick rate minimum tidak disertakan. Pick rate adalah porsi dari semua pick.",
      "Periode berlaku untuk win rate dan pick rate; sumber tidak menyebutkan periode matchup.",
      "Lane adalah lane yang dicantumkan sumber untuk sebuah hero. Sebuah lane kosong jika para rekan tim bisa bermain di lane lain; hero dengan dua lane bisa bermain di salah satunya.",
    ],
  },
  points:
    "Poin adalah poin persentase win rate: seberapa jauh hasil sebuah hero lebih baik (+) atau lebih buruk (−) dari perkiraan saat melawan, atau bersama, hero lain. Poin tidak menunjukkan siapa yang menang: hero dengan win rate rendah tetap bisa kalah di sebagian besar match melawan hero yang dilawannya dengan hasil lebih baik dari perkiraan. Sumber tidak menyebutkan apa yang diperkirakannya maupun jumlah match.",
} satisfies PairMessages;
