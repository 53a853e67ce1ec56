import { Form } from 'antd'
import type { FC, ReactNode } from 'react'
import { describeField } from '../../../data/failure.ts'
import { useT, type TKey } from '../../../lib/i18n/i18n.ts'
import type { Reasons, RuleDraft } from './draft.ts'
import page from '../../../ui/page/page.module.css'
import styles from './editor.module.css'

/** What every part of an editor is given. */
export interface PartProps {
  draft: RuleDraft
  change: (next: Partial<RuleDraft>) => void
  /** Why the rule cannot be saved, by path. */
  reasons: Reasons
  disabled: boolean
}

/** What is asked for where nothing is filled in; elsewhere, that the field is to be filled in. */
const NEEDED: Readonly<Record<string, TKey>> = {
  'Conditions.PeripheralUIDs': 'automation:rule.needs.condition',
  'Schedule.Weekdays': 'automation:rule.needs.weekday',
  'Schedule.At': 'automation:rule.needs.time',
  'Booking.ConferenceRoomID': 'automation:rule.needs.room',
  PeripheralUID: 'automation:rule.needs.device',
  Field: 'automation:rule.needs.field',
  Status: 'automation:rule.needs.value',
}

/** Why a field is refused, in words. */
export function useReason(): (path: string, reason: string) => string {
  const t = useT()
  return (path, reason) => {
    const needed = reason === 'required' && (NEEDED[path] ?? NEEDED[path.split('.').at(-1) ?? ''])
    if (needed) return t(needed)
    return path.endsWith('.Clear') ? t('automation:rule.needs.clear') : describeField(reason, path)
  }
}

interface Props {
  label: string
  /** Where the gateway tells what is wrong with it. */
  path?: string
  reasons?: Reasons
  hint?: ReactNode
  wide?: boolean
  className?: string | undefined
  children: ReactNode
}

/** One field of the editor, with what is wrong with it below. */
export const Field: FC<Props> = ({ label, path, reasons = {}, hint, wide, className, children }) => {
  const inWords = useReason()
  const reason = path === undefined ? undefined : reasons[path]
  return (
    <Form.Item
      label={label}
      className={wide ? page.wholeRow : className}
      {...(hint !== undefined && { extra: hint })}
      {...(path !== undefined &&
        reason !== undefined && {
          validateStatus: 'error' as const,
          help: <span role="alert">{inWords(path, reason)}</span>,
        })}
    >
      {children}
    </Form.Item>
  )
}

/** What is wrong with a part as a whole; nothing while all is well. */
export const PartFault: FC<{ path: string; reasons: Reasons }> = ({ path, reasons }) => {
  const inWords = useReason()
  const reason = reasons[path]
  return reason === undefined ? null : (
    <p role="alert" className={page.fault}>
      {inWords(path, reason)}
    </p>
  )
}

/** The first of what is wrong at a path or within it, e.g. with one of a list; the path itself while nothing is. */
export const faultWithin = (path: string, reasons: Reasons): string =>
  Object.keys(reasons).find((one) => one === path || one.startsWith(`${path}.`)) ?? path

/** One of the four questions that a rule answers. */
export const Section: FC<{ title: string; children: ReactNode }> = ({ title, children }) => (
  <section className={styles.section} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)
