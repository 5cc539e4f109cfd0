"""What an answer says was done, and what only sounds like it."""

from __future__ import annotations

import pytest

from thinkagent.policy.deeds import deeds, undone

QUESTION = "How many orders are there?"
SAID = {
    "first person": ("I deleted the order and sent the coupon.", QUESTION),
    "perfect": ("There are 3. I have also updated the customer.", QUESTION),
    "short form": ("I’ve cancelled order 7.", QUESTION),
    "plural": ("We successfully created the bucket", QUESTION),
    "American": ("I canceled it.", QUESTION),
    "irregular": ("I sent the coupon.", QUESTION),
    "passive, as asked": ("The order was deleted.", "Delete order 7"),
    "perfect passive": ("A coupon has been issued to Alice.", "Find Alice and issue her a coupon"),
    "without a verb of being": ("Deleted order 7.", "please delete order 7"),
    "a list": ("Done. 3 coupons issued.", "Find the idle customers, then issue each a coupon."),
    "asked with you": ("It is renamed.", "Could you rename the bucket?"),
    "made": ("The bucket was made.", "Make a bucket named demo"),
    "beside a denial": ("Bob was not found. Alice was invited.", "Invite Alice and Bob"),
    "Chinese first person": ("我已删除该订单。", "有多少订单?"),
    "Chinese, for somebody": ("我已经为张三发放优惠券", "有多少订单?"),
    "Chinese, as asked": ("订单已删除。", "删除订单 7"),
    "Chinese, success behind": ("存储桶创建成功", "请创建一个名为 demo 的存储桶"),
    "Chinese, with an object in front": ("已取消订单 7", "把订单 7 取消"),
}
NOT_SAID = {
    "a number": ("There are 34 orders.", QUESTION),
    "a fact of the API": ("Order 7 was cancelled on Monday.", "What happened to order 7?"),
    "a fact of many": ("3 orders were created last week.", "How many orders were created last week?"),
    "an adjective": ("There are 7 deleted orders.", "How many deleted orders are there?"),
    "a field": ("Created: 2026-01-01", "Create nothing, show bucket demo"),
    "denied": ("I have not deleted anything.", "Delete order 7"),
    "denied shortly": ("The order wasn't deleted.", "Delete order 7"),
    "failed": ("I failed: no order deleted", "Delete order 7"),
    "could not": ("It could not be deleted.", "Delete order 7"),
    "before": ("The coupon was already issued.", "Issue Alice a coupon"),
    "nothing": ("Nothing was changed.", "Change the name"),
    "the mind's own work": ("I updated my plan. I sent 3 requests.", QUESTION),
    "what I did with numbers": ("I added the totals and removed duplicates.", QUESTION),
    "a question that contains the word": ("You cancelled 3 orders.", "Which orders did I cancel?"),
    "Chinese fact": ("已取消的订单有 3 个。", "已取消的订单有多少?"),
    "Chinese denied": ("订单未删除。", "删除订单 7"),
    "Chinese cannot": ("无法删除订单 7。", "删除订单 7"),
    "Chinese question": ("订单已取消。", "订单 7 取消了吗?"),
    "empty": ("", ""),
}


@pytest.mark.parametrize(("answer", "task"), SAID.values(), ids=SAID)
def test_said(answer, task):
    assert list(deeds(answer, task))


@pytest.mark.parametrize(("answer", "task"), NOT_SAID.values(), ids=NOT_SAID)
def test_not_said(answer, task):
    assert list(deeds(answer, task)) == []


DELETED, MADE, CANCELLED = "DELETE /orders/{id} drop", "POST /coupons issue", "POST /orders/{id}/cancel cancelOrder"
CARRIED_OUT = {
    "a removal by a removal": ("I deleted the order.", [DELETED], None),
    "a removal by another way": ("I deleted the order.", [CANCELLED], None),
    "a removal by something made": ("I deleted the order.", [MADE], "deleted"),
    "something made": ("I issued the coupon.", [MADE], None),
    "something made by a removal": ("I issued the coupon.", [DELETED], "issued"),
    "two deeds, one of them done": ("I deleted the order and sent a coupon. I issued it.", [DELETED], "issued"),
    "a word that a removal can be": ("I cancelled the order.", [DELETED], None),
    "a word that needs some write": ("I cancelled the order.", [], "cancelled"),
    "both done": ("I deleted the order. I issued a coupon.", [DELETED, MADE], None),
    "in Chinese": ("我已删除该订单。", [MADE], "删除"),
    "nothing said": ("There are 3.", [], None),
}


@pytest.mark.parametrize(("answer", "writes", "lacking"), CARRIED_OUT.values(), ids=CARRIED_OUT)
def test_a_deed_needs_a_write_that_can_be_it(answer, writes, lacking):
    doubt = undone(answer, QUESTION, writes)
    assert doubt == (lacking and f"the answer says {lacking!r}, and no such write was carried out")


DELETE = "Delete order 7"
ORDERED = {
    "other words": ("I got rid of it.", DELETE, []),
    "a noun": ("Removal of order 7 is complete.", DELETE, []),
    "what is so then": ("Order 7 no longer exists.", "Please delete order 7", []),
    "another language": ("J'ai supprimé la commande.", DELETE, []),
    "a third language": ("已删除该订单。", "Can you delete order 7?", []),
    "no problem": ("I deleted it, no problem.", DELETE, []),
    "without trouble": ("The order was removed without any issues.", DELETE, []),
    "short": ("Done.", "I want you to cancel order 7", []),
    "a refund": ("Refund issued.", "Refund order 7", []),
    "behind a question": ("It is Alice's.", "Whose is order 7? Find out. Then tell me; delete it", []),
    "another write": ("All is well.", DELETE, [MADE]),
    "Chinese": ("好的。", "请删除订单 7", []),
    "Chinese, with an object in front": ("完成。", "把订单 7 删除", []),
    "an added thing": ("It is there.", "Add a book named Emma", []),
}
NOT_ORDERED = {
    "done": ("I got rid of it.", DELETE, [DELETED]),
    "done in another way": ("It is gone.", DELETE, [CANCELLED]),
    "denied": ("There was nothing to delete.", DELETE, []),
    "already so": ("Order 7 was already deleted.", DELETE, []),
    "denied in Chinese": ("没有该订单。", "删除订单 7", []),
    "only in some case": ("The bucket exists.", "Create the bucket demo unless it exists", []),
    "only if": ("It is fine.", "如果订单 7 存在，删除它", []),
    "a question": ("3 were deleted.", "How many orders were deleted?", []),
    "a sum": ("It is 12.", "Add the totals of all orders", []),
    "numbers": ("It is 12.", "Add 5 and 7", []),
    "news": ("It is on its way.", "Update me on order 7", []),
    "an issue by number": ("Alice wrote it.", "Issue 42: who wrote it?", []),
    "what is made for me": ("There are 3.", "Make a list of all orders", []),
    "nothing": ("It is demo.", "Create nothing, show bucket demo", []),
    "Chinese fact": ("有 3 个。", "删除的订单有多少", []),
}


@pytest.mark.parametrize(("answer", "task", "writes"), ORDERED.values(), ids=ORDERED)
def test_an_order_is_not_done_without_a_write(answer, task, writes):
    assert "no such write was carried out" in (undone(answer, task, writes) or "")


@pytest.mark.parametrize(("answer", "task", "writes"), NOT_ORDERED.values(), ids=NOT_ORDERED)
def test_nothing_was_ordered_or_it_was_done(answer, task, writes):
    assert undone(answer, task, writes) is None
