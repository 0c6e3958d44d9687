import { type Html, html } from "../../html.ts";
import type { PairMessages } from "./english.ts";

/** What the pages say of two heroes, in Arabic. */
export default {
  played: {
    label: "البطل الآخر",
    opponent: "خصم",
    teamMate: "حليف",
    asExpected: "كما هو متوقع",
    worse: "أسوأ من المتوقع",
    better: "أفضل من المتوقع",
  },
  matchups: {
    asCsv: "المصفوفة بصيغة CSV",
    heading: "المواجهات",
    empty: "لا توجد مواجهات في هذه اللقطة لهذه الرتبة.",
    numbers: "ما معنى هذه الأرقام",
    window: "ولا يذكر المصدر الفترة أيضًا؛ والثنائي الذي نادرًا جدًا ما التقى غير موجود هنا.",
    titleOf: {
      against: (name: string) => `البطل ${name} ضد كل بطل آخر`,
      with: (name: string) => `البطل ${name} مع كل بطل آخر`,
    },
    ofHero: {
      against: (name: Html) => html`البطل ${name} ضد كل بطل آخر`,
      with: (name: Html) => html`البطل ${name} مع كل بطل آخر`,
    },
    listed: {
      against: (heroes: number) => `أفضل مواجهة أولًا. عدد الأبطال: ${heroes}`,
      with: (heroes: number) => `أفضل حليف أولًا. عدد الأبطال: ${heroes}`,
    },
    another: "اختيار بطل آخر",
    ofAll: "كل الأبطال",
    ends: {
      against: {
        caption: "من يقدّم كل بطل ضده أفضل أداء، ومن يقدّم ضده أسوأ أداء",
        best: "الأفضل ضد",
        worst: "الأسوأ ضد",
      },
      with: {
        caption: "من يقدّم كل بطل معه أفضل أداء، ومن يقدّم معه أسوأ أداء",
        best: "الأفضل مع",
        worst: "الأسوأ مع",
      },
    },
    similarity: "التشابه",
    otherHero: "البطل الآخر",
    points: "النقاط",
    drawn: "الرسم",
    againstAsJson: "ضد الجميع بصيغة JSON",
    withAsJson: "مع الجميع بصيغة JSON",
  },
  matrix: {
    heading: "الجميع في رسم واحد",
    label: {
      against: (heroes: number) => `مصفوفة الأبطال بعضهم ضد بعض. عدد الأبطال: ${heroes}`,
      with: (heroes: number) => `مصفوفة الأبطال بعضهم مع بعض. عدد الأبطال: ${heroes}`,
    },
    help: {
      against:
        "الصف بطل، والعمود هو البطل الآخر: أزرق إذا كان أداء بطل الصف ضده أفضل من المتوقع، وبرتقالي إذا كان أسوأ.",
      with: "الصف بطل، والعمود هو البطل الآخر: أزرق إذا كان أداء بطل الصف معه أفضل من المتوقع، وبرتقالي إذا كان أسوأ.",
    },
    keys: "تنقل مفاتيح الأسهم الخلية، وينقلها المفتاحان Page Up وPage Down عشر خلايا، والمفتاحان Home وEnd إلى طرفي الصف؛ ويعرض المفتاح Enter كل ثنائيات بطل الصف.",
    // The sign stays before its number, and the words in their order, wherever this stands.
    low: (points: string) => `\u2067\u2066${points}\u2069 نقطة أو أقل\u2069`,
    high: (points: string) => `\u2067\u2066${points}\u2069 نقطة أو أكثر\u2069`,
    dot: "خلية فيها نقطة: غير معروف",
    known: {
      against: "البطل {hero} ضد {other}: {points} نقطة. الصف {row} من {count}، العمود {column} من {count}.",
      with: "البطل {hero} مع {other}: {points} نقطة. الصف {row} من {count}، العمود {column} من {count}.",
    },
    unknown: {
      against: "البطل {hero} ضد {other}: غير معروف. الصف {row} من {count}، العمود {column} من {count}.",
      with: "البطل {hero} مع {other}: غير معروف. الصف {row} من {count}، العمود {column} من {count}.",
    },
    all: "كل ثنائيات {hero}",
    failed: "تعذّر التحميل. في الجداول أدناه أعلى القيم وأدناها.",
  },
  draft: {
    asCsv: "كل الاختيارات بصيغة CSV",
    heading: "الدرافت",
    against: (enemies: string) => `درافت ضد ${enemies}`,
    with: (allies: string) => `درافت مع ${allies}`,
    againstAndWith: (enemies: string, allies: string) => `درافت ضد ${enemies}، مع ${allies}`,
    sides: {
      enemies: { head: "الخصوم", choose: "اختر خصمًا", mark: "خصم" },
      allies: { head: "الحلفاء", choose: "اختر حليفًا", mark: "حليف" },
      bans: { head: "الحظر", choose: "اختر بطلًا لحظره", mark: "محظور" },
    },
    soFar: "الدرافت حتى الآن",
    repeated: "البطل الذي يُختار أكثر من مرة يُحتسب مرة واحدة.",
    remove: (hero: string) => `إزالة ${hero}`,
    you: "أنت",
    nowChoosing: "يجري الآن اختيار",
    allFilled: "كل الخانات ممتلئة",
    best: (heroes: string) => `الأفضل: ${heroes}`,
    seePicks: "عرض الاختيارات",
    chooseByName: "الاختيار بالاسم",
    add: "إضافة",
    lanes: "المسارات",
    openLanes: "المسارات الشاغرة",
    open: html`شاغر`,
    openOr: (heroes: Html) => html`شاغر أو ${heroes}`,
    picks: "الاختيارات",
    estimate: "التقدير",
    points: "النقاط",
    nobody: "اختر خصومًا وحلفاء لرؤية التقدير. وحتى ذلك الحين لا تُحتسب إلا نسبة الفوز.",
    whatItIs: "التقدير هو ما زاد من نسبة الفوز على 50% مضافًا إليه نقاط كل ثنائي.",
    noForecast: "وهو ليس تنبؤًا.",
    lacksMatchups: "لا توجد مواجهات في هذه اللقطة لهذه الرتبة.",
    lacksAgainst: "لا توجد نقاط ضد الخصوم في هذه اللقطة لهذه الرتبة، لذلك لا يغيّر الخصوم شيئًا هنا.",
    lacksWith: "لا توجد نقاط مع الحلفاء في هذه اللقطة لهذه الرتبة، لذلك لا يغيّر الحلفاء شيئًا هنا.",
    byWinRateAlone: "الأبطال مرتبون حسب نسبة الفوز وحدها.",
    lacksRates: "لا توجد نسب فوز في هذه اللقطة لهذه الرتبة والفترة.",
    more: (heroes: number) => `عرض المزيد (${heroes})`,
    fromPlace: (caption: string, place: number) => `${caption}: ابتداءً من المركز ${place}`,
    byWinRate: (heroes: number) => `حسب نسبة الفوز. عدد الأبطال: ${heroes}`,
    withoutWinRate: (heroes: number) => `من دون نسبة فوز. عدد الأبطال: ${heroes}`,
    covered: (known: number, all: number, heroes: number) =>
      `الثنائيات المعروفة: ${known} من ${all}. عدد الأبطال: ${heroes}`,
    coveredLess: (known: number, all: number, heroes: number) =>
      `الثنائيات المعروفة: ${known} من ${all}، ولا تصح مقارنة هؤلاء الأبطال بمن فوقهم. عدد الأبطال: ${heroes}`,
    withoutEstimate: (known: number, all: number, heroes: number) =>
      `من دون نسبة فوز، أي من دون تقدير؛ الثنائيات المعروفة: ${known} من ${all}. عدد الأبطال: ${heroes}`,
    againstHero: (hero: Html) => html`ضد ${hero}`,
    withHero: (hero: Html) => html`مع ${hero}`,
    leftOut: (heroes: number, least: string) =>
      `عدد الأبطال المستبعدين لأن حصة كل منهم أقل من ${least} من الاختيارات: ${heroes}.`,
    showThem: "عرضهم أيضًا",
    source: "النقاط مأخوذة من نقاط النهاية هذه، وبطل الصف هو الوارد في الرابط:",
    ratesAsJson: "نسب الفوز ونسب الاختيار بصيغة JSON",
    limits: "ما يعنيه التقدير وما لا يعنيه",
    limitsOf: [
      "التقدير هو نسبة فوز البطل ناقص 50 نقطة مئوية، مضافًا إليها نقاطه ضد كل خصم ومع كل حليف. والأعلى أفضل.",
      "ليس تنبؤًا. فهو يجمع أداء البطل ضد بطل واحد آخر في كل مرة، أو معه؛ ولا رقم هنا يبيّن كيف يلعب خمسة أبطال معًا.",
      "الرقم الناقص مجهول وليس 0، ولذلك لا يُحتسب. والأبطال الذين تقل ثنائياتهم المعروفة معروضون على حدة، لأن تقديراتهم لا تصح مقارنتها بغيرها.",
      "لا شيء يبيّن عدد المباريات التي جاء منها الرقم. والبطل الذي نادرًا ما يُختار قد يكون رقمه عاليًا بالمصادفة، لذلك يُستبعد من تقل نسبة اختياره عن أدنى نسبة اختيار. ونسبة الاختيار هي حصة من جميع الاختيارات.",
      "الفترة تخص نسبة الفوز ونسبة الاختيار؛ أما فترة المواجهات فلا يذكرها المصدر.",
      "المسارات هي التي يدرج المصدر البطل فيها. ويكون المسار شاغرًا إن أمكن للحلفاء أن يلعبوا في المسارات الأخرى؛ والبطل الذي له مساران قد يلعب في أي منهما.",
    ],
  },
  points:
    "النقاط هي نقاط مئوية من نسبة الفوز: كم يزيد (+) أو ينقص (−) أداء البطل عن المتوقع ضد بطل آخر أو معه. وهي لا تبيّن من يفوز: فالبطل ذو نسبة الفوز المنخفضة قد يخسر مع ذلك معظم المباريات ضد بطل يكون أداؤه ضده أفضل من المتوقع. ولا يذكر المصدر ما يتوقعه ولا عدد المباريات.",
} satisfies PairMessages;
