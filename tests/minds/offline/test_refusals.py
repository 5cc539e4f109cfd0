# ruff: noqa: E501 (tables are read in rows)
"""Tasks that are not understood, or that the data does not settle: an honest word, and nothing is written."""

from __future__ import annotations

import pytest

UNKNOWN_WORDS = [
    ("library", "Ship the books by drone", ["Ship", "drone"]),
    ("library", "Which members are unhappy?", ["unhappy"]),
    ("library", "Reserve a book for Grace Hopper", ["Reserve"]),
    ("library", "What is the weather in Dublin?", ["weather"]),
    ("library", "Renew all loans", ["Renew"]),
    ("library", "How many dragons are there?", ["dragons"]),
    ("library", "What is the average price of novels in euros?", ["euros"]),
    ("library", "What is the median price of all books?", ["median"]),
    ("library", "What is Grace Hopper's phone number?", ["phone"]),
    ("library", "Raise the price of all books by 10 percent", ["Raise", "percent"]),
    ("library", "What percentage of books are available?", ["percentage"]),
    ("library", "Set the level of Grace Hopper to platinum", ["platinum"]),
    ("library", "Which is the best book?", ["best"]),
    ("library", "What is the longest book?", ["longest"]),
    ("library", "List only half of the books", ["only", "half"]),
    ("tickets", "Escalate ticket 1", ["Escalate"]),
    ("tickets", "Reopen ticket 3", ["Reopen"]),
    ("tickets", "Mark ticket 2 as shipped", ["shipped"]),
    ("tickets", "Close all tickets except ticket 1", ["except"]),
    ("warehouse", "What is the total unitPrice in dollars?", ["dollars"]),
    ("warehouse", "How heavy is BRK-77?", ["heavy"]),
    ("parks", "Which trail is the most beautiful?", ["beautiful"]),
    ("store", "Create a user named bob", ["user"]),
    ("store", "Empty bucket main", ["Empty"]),
    ("library", "有多少本可用的书用无人机送货？", ["用无人机送货"]),
    ("library", "把所有不开心的会员删除", ["开心"]),
    ("library", "哪本书最好看？", ["好看"]),
    ("library", "给所有会员发送问候短信", ["问候短信"]),
]

NOT_SETTLED = [
    # names that are not exact, or several
    ("library", "What is Oto Klein's email?", 'No member is called "Oto Klein". The nearest: Otto Klein'),
    ("library", "What is Otto's email?", "The nearest: Otto Brandt, Otto Klein"),
    ("library", "Delete member Otto", "The nearest: Otto Brandt, Otto Klein"),
    ("library", "How many books did Ada write?", "The nearest: Ada Quill"),
    ("library", "Issue a READ10 voucher to Otto", "No member"),
    ("warehouse", "What is the stock of Brake?", "The nearest: Brake disc"),
    ("warehouse", "How much does BRK-78 cost?", 'No part is called "BRK-78"'),
    ("warehouse", "Which suppliers are in Narnia?", 'No supplier has "Narnia"'),
    ("tickets", "Close ticket 99", 'No ticket is called "99"'),
    ("tickets", "Delete project Webpage", "No project"),
    ("parks", "What is the area of Elm?", "The nearest: Elm Park"),
    ("library", "李磊的邮箱是什么？", "李雷"),
    # half understood, two at once, conditions, exceptions
    ("library", "What is Grace Hopper's email and how many loans does she have?", "she"),
    ("library", "How many books does Ada Quill have and what is their average price?", "average"),
    ("library", "Delete all members and then list the books", "then"),
    ("library", "Give every gold member a READ5 voucher and delete the loans", "delete"),
    ("library", "Delete all members who never borrowed unless they are gold", "unless"),
    ("library", "If a book is unavailable, delete it", "If"),
    ("library", "List the books, then the authors", "authors"),
    ("library", "List books with more than 300 pages or fewer than 100", "or"),
    ("library", "List books except novels", "except"),
    ("library", "all members but gold", "but"),
    ("library", "Which members did not borrow more than 3 times?", "times"),
    ("library", "Which members never borrowed a novel?", "novel"),
    ("library", 'Which members borrowed "Night Trains"?', "Night Trains"),
    ("library", "Which books are not by Ada Quill?", ""),
    ("library", "How many books cost between 10 and 20?", "between"),
    ("library", "Compare Ada Quill and Mei Lin", "Compare"),
    ("library", "What is my email?", "my"),
    ("library", "Show me his loans", "his"),
    ("library", "What did Grace Hopper borrow most often?", "often"),
    ("library", 'Why is "Salt" unavailable?', "Why"),
    ("tickets", "Close ticket 1 and ticket 2", ""),
    ("tickets", "How many tickets are open or closed?", "or"),
    ("tickets", "Archive project Website", "Website"),
    ("tickets", "Assign ticket 4 to Bob Stone", "Assign"),
    ("tickets", "tickets closed in the last week", ""),
    ("tickets", "closed tickets in the last week", ""),
    ("warehouse", "Buy 10 bolts", "Buy"),
    ("warehouse", "Move the Bolt to shelf 7", "Move"),
    ("parks", "How long does it take to walk the Ridge Walk?", "walk"),
    ("store", "Create a bucket named demo and a collection named tasks in it", ""),
    ("store", "Create a bucket named a b c", "b"),
    ("store", "Create a bucket named Alpha and Beta", "Beta"),
    ("store", "Copy bucket main to logs", "Copy"),
    ("library", "王小明和Ada Quill的书有几本？", "王小明"),
    ("library", "如果书不可借就删除它", ""),
    ("library", "列出所有书然后删除它们的作者", ""),
    ("library", "30天前加入的会员有哪些？", ""),
    # a time, and nothing that says of what
    ("library", "How many members were there last month?", ""),
    ("library", "上个月有多少个会员？", ""),
    ("library", "How many authors were added in 1961?", ""),
    ("library", "Which authors were created before 1980-01-01?", ""),
    ("tickets", "How many projects were there in 2025?", ""),
    ("tickets", "Which project is the newest?", ""),
    ("tickets", "上上个月有多少个工单？", ""),
    ("tickets", "上周有多少个已关闭的工单？", ""),
    # not said enough
    ("library", "Delete members", ""),
    ("library", "Delete a member", ""),
    ("library", "Delete some books", ""),
    ("library", "Issue a voucher to Grace Hopper", "'code'"),
    ("library", "Give every member a voucher", "'code'"),
    ("library", "What is the price of the book?", "but 6 fit"),
    ("library", "删除会员", ""),
    ("tickets", "Close the ticket", ""),
    ("tickets", "Show ticket", "but 4 fit"),
    ("tickets", "Create a project named Apollo", "'key'"),
    ("store", "Create a bucket", ""),
    ("store", "Create a collection named tasks", "bucket"),
    ("store", "How many collections are there?", "bucket"),
    # values that do not fit
    ("library", "Set the price of all books to cheap", "cheap"),
    ("library", "Issue a READ99 voucher to Grace Hopper", "READ99"),
    ("library", 'Set the title of "Salt" to nothing', "nothing"),
    ("tickets", "Set the priority of ticket 2 to critical", "critical"),
    ("store", "Create a bucket named demo with size 5", "size"),
    # operations that are not there
    ("parks", "Create a park named X", "no operation that creates a park"),
    ("tickets", 'Create a ticket named "Broken"', "no operation that creates a ticket"),
]


@pytest.mark.parametrize(("world", "task", "words"), [pytest.param(*row, id=row[1]) for row in UNKNOWN_WORDS])
def test_the_words_without_a_place_are_named(do, world, task, words):
    run = do(world, task)
    assert run.status == "impossible"
    assert run.writes == run.reads == []
    assert [word for word in words if word not in run.answer] == []


@pytest.mark.parametrize(("world", "task", "said"), [pytest.param(*row, id=row[1]) for row in NOT_SETTLED])
def test_what_is_not_settled_is_not_guessed(do, world, task, said):
    run = do(world, task)
    assert run.status in ("impossible", "failed")
    assert run.writes == []
    assert said in run.answer


@pytest.mark.parametrize(
    ("world", "task", "said"),
    [
        ("library", "How many dragons are there?", 'I do not know these words: "dragons".'),
        ("warehouse", "How heavy are the parts?", 'I do not know these words: "heavy".'),
        ("library", "有多少条龙？", '我不认识这些词："龙"。'),
        ("library", "How many books cost between 10 and 20?", 'I know the words, but not how to do this with "between 10 and 20".'),
        ("tickets", "Close ticket 1 and ticket 2", 'I know the words, but not how to do this with "and ticket 2".'),
        ("tickets", "Can I close ticket 1?", "I know the words"),
        ("parks", "Can I read the sightings?", "I know the words"),
        ("tickets", "How many updates are there?", "I know the words"),
        ("library", "上个月有多少个会员？", '这些词我认识，但不知道如何处理"会员"。'),
    ],
)  # fmt: skip
def test_a_strange_word_is_told_from_a_known_one(do, world, task, said):
    """What the document says is never called strange; and each refusal ends with how to go on, once."""
    answer = do(world, task).answer
    assert said in answer
    assert answer.count("--model") == 1
    assert answer.endswith(("--model.", "--model指定一个。"))
