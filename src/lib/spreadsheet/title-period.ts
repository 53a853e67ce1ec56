/** Dates, times and page numbers, which differ in the titles of one table. */
const PERIOD_IN_TITLE =
  /(?<![\d-])(?:民國)?\d{2,4}\s?(?:[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?![\d-])|年(?:\s?\d{1,2}\s?月份?)?(?:\s?\d{1,2}\s?日)?)|(?<![\d-])\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?![\d-])|\d{1,2}\s?月份?|\d{1,2}[:：]\d{2}(?:[:：]\d{2})?|(?<![a-z])(?:\d{1,2}\.?\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s*(?:\d{1,2},?\s*)?(?:\d{4})?(?![a-z])|(?:page|seite|página|pagina|第)\s*\d+\s*(?:頁|页)?(?:\s*(?:of|von|de|di|\/|共)\s*\d+\s*(?:頁|页)?)?|(?:(?<=\s)(?:to|bis|through|until)|[～~–至-])(?=\s|$)/gi

/** Title without the period that it is about, in lower case: equal in the parts of one table. */
export const withoutPeriods = (text: string): string =>
  text
    .replaceAll(PERIOD_IN_TITLE, '')
    .replaceAll(/[\s:：]+/g, ' ')
    .trim()
    .toLowerCase()
