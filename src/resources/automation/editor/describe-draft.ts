import { draftOf, ruleOf, type RuleDraft } from './draft.ts'
import { kindOf, type ListedRule, type RuleKind } from '../kinds.ts'
import type { DescribedRule } from '../words/sentence.ts'

const isListed = (rule: RuleDraft | ListedRule): rule is ListedRule => 'AutomationID' in rule

/** What a sentence is made of, with every default filled in: of a rule as it is listed, or as it is edited. */
export const describeDraft = (rule: RuleDraft | ListedRule, kind?: RuleKind): DescribedRule =>
  isListed(rule) ? ruleOf(draftOf(rule, kindOf(rule)), kindOf(rule)) : ruleOf(rule, kind ?? 'schedule')
