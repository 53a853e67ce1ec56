import { draftOf, ruleOf, type RuleDraft } from '../rules/draft.ts'
import { kindOf, type ListedRule, type RuleKind } from '../rules/kinds.ts'
import type { DescribedRule } from './sentence.ts'

const isListed = (rule: RuleDraft | ListedRule): rule is ListedRule => 'AutomationID' in rule

/** Input of a sentence, with all defaults, from a stored rule or a draft. */
export const describeDraft = (rule: RuleDraft | ListedRule, kind?: RuleKind): DescribedRule =>
  isListed(rule) ? ruleOf(draftOf(rule, kindOf(rule)), kindOf(rule)) : ruleOf(rule, kind ?? 'schedule')
