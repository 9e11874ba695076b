package blocks

// This file is the table of the numbers that decide what is content. Where a comment has figures,
// they were measured on out-of-fold probabilities (docs/model-card.md has the command); the others
// were chosen. What is not here are features, which the model weighs by itself.
const (
	// lossWeight is how many kept words of boilerplate a lost word of content is worth:
	// a block alone counts as content from a probability of 1/(1+lossWeight) on. articleLoss is
	// that of articles, whose text stands out more. (Out of fold, pages with loss on manuals, news and
	// WCXB, and word F1 on WCXB and fundus: 3 and 1: .056 .183 .088 .869 .937; 5 and 1.5: .017 .146 .070
	// .866 .931; 6 and 2: .009 .146 .065 .863 .925; 8 and 4: .004 .122 .058 .857 .913. Shipped, 5 and 2:
	// manuals that nothing was tuned to .015, WCXB .040, .889.)
	lossWeight  = 5
	articleLoss = 2
	// sureType is how probable it must be that a page is an article, for articleLoss and for leaving out
	// readers' comments. (Out of fold, 0, .6 and .8: pages with loss on
	// WCXB .062, .060, .058, word F1 .864, .864, .863; on news .910, .903, .902.)
	sureType = .8

	// mainLoss is the weight within a main or article element, outside of boilerplate by its markup, on
	// a page that is not surely an article. (Out of fold, without it, 10, 20 and 30: pages with loss on WCXB
	// .057 .051 .049 .049, on news .146 .134 .134 .134, word F1 .863 .861 .860 .860, of news .902 .911 .910
	// .910. On articles it costs more than it gains: fundus .928, .922.)
	mainLoss = 10

	// shortLoss is the weight on a short page: the model has little to go by there, and a
	// person sees each text that is missing. (Chosen.)
	shortLoss = 16
	shortPage = 200 // words

	// repeatedLoss is the weight in boxes for consent, newsletters and promotion, by class name: on
	// a short page they would stay, as would its menus. (.6: pages with loss on WCXB .056, 2: .051, as elsewhere 8: .049.)
	repeatedLoss = 1

	// What it costs, in words, to start a run of boilerplate within content, and of
	// content within boilerplate: single short blocks follow what is around them. (With a loss weight of 4,
	// from 2 to 16 and from 25 to 120, word F1 on WCXB is between .861 and .866 and loss between .065 and .069.)
	leaveCost = 8
	enterCost = 25
	// chromeCost is leaveCost for an element that is boilerplate by its tag, role or
	// class name, such as <nav> or class "share"; unitCost for code, tables, figures and quotations.
	chromeCost = 2
	unitCost   = 100

	// FairChance is the probability that at least one block of a long page must reach: else the
	// page has only navigation. (Word F1 on WCXB is .863 with .2 and with .3; with .2, lists that wait for
	// scripts are content.)
	FairChance = .3

	// What the page's own data states to be content has at least this probability.
	statedChance = .95

	// The texts of posts on a forum have at least postChance, from postText words on.
	postChance = .5
	postText   = 3
	// Links and buttons of a post are controls below controlChance, such as "Like".
	controlChance = .2

	proseBlock    = 20  // words from which on a block is prose
	proseLine     = 8   // words from which on a block is a text of its own
	bodyWords     = 4   // words from which on a text has a heading of its own
	mostTitle     = 30  // words of a title
	mostFact      = 12  // words of a price, a date or a name
	mostCopies    = 3   // of a text for several screens: more are a list with equal items
	mostFragments = 100 // links within the page of a block that are followed
	inlineLevels  = 6   // elements around a text that are asked for an anchor
	noteWords     = 300 // words of what a link within the page leads to and is kept with it
	nearTitle     = 60  // words between the main heading and the content that it is kept with
	titleBlocks   = 10  // blocks after the main heading that belong to it
)
