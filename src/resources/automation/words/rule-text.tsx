import type { FC } from 'react'
import page from '../../../ui/page/page.module.css'
import type { RuleSentence } from './sentence.ts'

/** A rule in words: its sentence, and its details muted on a line of their own. */
export const RuleText: FC<{ sentence: RuleSentence<string> }> = ({ sentence: { main, notes } }) => (
  <>
    <span className={`${page.block} ${page.words}`}>{main}</span>
    {notes !== undefined && <small className={`${page.block} ${page.words} ${page.muted}`}>{notes}</small>}
  </>
)

/** A rule in words as one text, for a search or a comparison. */
export const plainText = ({ main, notes }: RuleSentence<string>): string =>
  notes === undefined ? main : `${main}\n${notes}`
