"""Long talks between people made by rule: facts told in passing, chatter around them, and questions about them."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

ENGLISH = [  # what the other asks first, what is told, what is asked weeks later, values
    (
        "What are you up to?",
        "I signed up for a {x} class, it starts on Tuesday.",
        "What class did {p} sign up for?",
        "pottery salsa woodcarving",
    ),
    ("", "My sister moved to {x} last month, the boys miss her.", "Where did {p}'s sister move?", "Lisbon Graz Cork"),
    (
        "How was the concert?",
        "Amazing, the cellist played {x} and half the hall cried.",
        "What did the cellist play at {p}'s concert?",
        "Bach Elgar Kodaly",
    ),
    (
        "Did you get the job?",
        "They offered it to me, I start in {x} on the children's ward.",
        "When does {p} start the new job?",
        "March May October",
    ),
    (
        "What did the doctor say?",
        "No more {x} for half a year, and long walks instead.",
        "What did the doctor forbid {p}?",
        "running coffee climbing",
    ),
    (
        "",
        "We are going to {x} in the summer, just a tent and the bikes.",
        "Where is {p} going with the tent?",
        "Gotland Ohrid Alsace",
    ),
    (
        "How is your father?",
        "Better, he sold the {x} and moved into the flat below.",
        "What did {p}'s father sell?",
        "bakery vineyard garage",
    ),
    (
        "",
        "{x} taught me how to bake sourdough, hers never fails.",
        "Who taught {p} to bake bread?",
        "Ines Agatha Lorna",
    ),
    (
        "Why so tired?",
        "The baby wakes at {x} sharp every single night.",
        "At what time does {p}'s baby wake?",
        "two three four",
    ),
    (
        "What was the present?",
        "She gave me {x}, I wear them every day.",
        "What present did {p} get?",
        "mittens earrings slippers",
    ),
    (
        "",
        "Turns out I am allergic to {x}, my face was like a balloon.",
        "What is {p} allergic to?",
        "hazelnuts mango latex",
    ),
    (
        "Who won?",
        "Our team did, by {x} points in the last minute.",
        "By how many points did {p}'s team win?",
        "one two five",
    ),
]
CHINESE = [
    ("生日怎么过？", "我表哥的生日是{x}，想去露营。", "{p}的表哥哪天过生日？", "三月九号 五月十二号 八月二十号"),
    ("", "我舅舅在{x}上班，每天坐地铁。", "{p}的舅舅在哪里上班？", "医院 电视台 造船厂"),
    ("牙还疼吗？", "{x}下午要陪室友去看牙医。", "{p}什么时候陪室友看牙医？", "周二 周四 周六"),
    ("", "房东最爱吃{x}，每次聚会都点。", "{p}的房东爱吃什么？", "酸菜鱼 锅包肉 臭豆腐"),
    ("老家在哪？", "外甥女的老家在{x}，过年才回去。", "{p}的外甥女老家在哪里？", "绍兴 柳州 大同"),
    ("", "健身教练报了{x}班，晚上七点上课。", "{p}的教练报了什么班？", "书法 潜水 木工"),
    ("怎么这么急？", "上司把{x}弄丢了，急得不行。", "{p}的上司丢了什么？", "身份证 戒指 相机"),
    ("", "邻居买了一辆{x}，周末提车。", "{p}的邻居买了什么车？", "皮卡 三轮车 山地车"),
]
CHATTER = {
    "en": [
        "Hey, good to hear from you!",
        "How was your week?",
        "Busy, but fine, thanks for asking.",
        "The bus was late again.",
        "I had soup for lunch.",
        "That sounds lovely, tell me more!",
        "I can't believe it's already evening.",
        "I read an article about a {w}, not sure what to think.",
        "One of the kids drew a {w} on the wall.",
        "Somebody at work talks about his {w} all day.",
        "My {w} is on my mind a lot.",
        "I bought flowers for the kitchen.",
        "The neighbours are renovating, so much noise.",
        "We should meet more often, honestly.",
        "What a day, I missed lunch.",
    ],
    "zh": [
        "今天心情不太好，想找人聊聊。",
        "我在呢，说说看发生了什么？",
        "最近总是失眠。",
        "睡前少看手机，喝点温牛奶试试。",
        "周末想做点好吃的。",
        "番茄炖牛腩不错，慢火炖一个小时。",
        "我和朋友为{w}吵了一架。",
        "先冷静一下，再好好沟通。",
        "听同事说起{w}，挺有意思。",
        "别担心，慢慢来，一切都会好起来的。",
        "我梦到了{w}。",
        "外面又下雨了。",
    ],
}
THINGS = {
    "en": [
        "class",
        "dog",
        "sister",
        "concert",
        "doctor",
        "tent",
        "bakery",
        "baby",
        "present",
        "allergy",
        "team",
        "father",
        "job",
        "summer",
        "bread",
    ],
    "zh": ["生日", "地铁", "牙医", "聚会", "老家", "书法", "相机", "山地车", "医院", "露营"],
}
PEOPLE = {"en": ("Maya", "Tom"), "zh": ("小雅", "阿明")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Turns as a harness feeds them, and questions, each with the number of the turn that answers it."""

    turns: Sequence[dict[str, object]]
    questions: Sequence[tuple[str, int]]


def make_talk(language: str, seed: int, facts: int = 24) -> Talk:
    """Return a talk with so many facts in it; the same seed makes the same talk."""
    rng = random.Random(seed)
    told = [(fact, who) for fact in (ENGLISH if language == "en" else CHINESE) for who in (0, 1)]
    rng.shuffle(told)
    said: list[tuple[int, str]] = []
    questions = []
    for (lead, statement, question, values), who in told[:facts]:
        said += [((len(said) + n) % 2, line) for n, line in enumerate(_chatter(rng, language))]
        if lead:
            said.append((1 - who, lead))
        said.append((who, f"{statement.format(x=rng.choice(values.split()))} {next(_chatter(rng, language))}"))
        questions.append((question.format(p=PEOPLE[language][who]), len(said) - 1))
    start = datetime(2026, 1, 5, 18, 0, tzinfo=UTC)
    turns = [
        {
            "i": number,
            "role": "assistant" if who else "user",
            "content": f"{PEOPLE[language][who]}: {text}",
            "ts": (start + timedelta(hours=number)).isoformat(),
        }
        for number, (who, text) in enumerate(said)
    ]
    return Talk(turns=turns, questions=questions)


def _chatter(rng: random.Random, language: str) -> Iterator[str]:
    for _ in range(rng.randrange(5, 12)):
        lines = rng.sample(CHATTER[language], rng.randrange(1, 3))
        yield " ".join(line.format(w=rng.choice(THINGS[language])) for line in lines)
