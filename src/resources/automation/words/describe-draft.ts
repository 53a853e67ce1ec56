import { draftOf, ruleOf, type RuleDraft } from '../rules/draft.ts'
import { kindOf, type ListedRule, type RuleKind } from '../rules/kinds.ts'
import type { DescribedRule } from './sentence.ts'

const isListed = (rule: RuleDraft | ListedRule): rule is ListedRule => 'AutomationID' in rule

/** Input of a sentence, with all defaults, from a stored rule or a draft; what a draft lacks is an empty text or not a number. */
export const describeDraft = (rule: RuleDraft | ListedRule, kind?: RuleKind): DescribedRule =>
  isListed(rule)
    ? ruleOf(draftOf(rule, kindOf(rule)), kindOf(rule))
    : ruleOf(withBlanks(rule), kind ?? 'schedule')

const withBlanks = ({ conditions, repeating, singleAt, booking, ...draft }: RuleDraft): RuleDraft => ({
  ...draft,
  conditions: conditions.map(({ PeripheralUID = '', Field = '', Status, Upper, ...rest }) => ({
    ...rest,
    PeripheralUID,
    Field,
    Status: Status ?? Number.NaN,
    Upper: Upper ?? Number.NaN,
  })),
  repeating: { ...repeating, At: repeating.At ?? Number.NaN },
  singleAt: singleAt ?? Number.NaN,
  booking: { ...booking, ConferenceRoomID: booking.ConferenceRoomID ?? '' },
})
