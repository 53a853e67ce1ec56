import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { RowKind } from '../../../contract/rules/list/list-query.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { PowerValue, Figure } from '../../ui/tags/power-value.tsx'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'
import styles from './dashboard.module.css'
import type { Summary, Tally } from './summarize.ts'

/** The device list of one kind, or of every kind: undefined where there is no such list. */
export type ListOf = (kind: RowKind | undefined) => string | undefined

/** Power of the meters that report, and how many do: a sum over some of the meters must not look like the whole. */
export function Power({ summary, list }: { summary: Summary; list: ListOf }) {
  const t = useT()
  const { meters, watts } = summary
  if (meters.total === 0) return <p className={page.small}>{t('dashboard:noMeters')}</p>
  return (
    <Item to={list('ClampMeter')} className={styles.power}>
      <span className="visually-hidden">{t('dashboard:power')}</span>
      {meters.count === 0 ? <Figure value="–" unit="kW" large /> : <PowerValue watts={watts} large />}
      <span className={meters.count < meters.total ? styles.partial : page.small}>
        {t('dashboard:reporting', { reporting: meters.count, meters: meters.total })}
      </span>
    </Item>
  )
}

/** Everything else at a glance; what a home does not have is left out. */
export function Facts({ summary, list }: { summary: Summary; list: ListOf }) {
  const t = useT()
  const { hubs, lights, doors, motion } = summary
  return (
    <ul className={styles.facts}>
      <Fact
        label={t('dashboard:hubs')}
        to={list('Hub')}
        tone={hubs.count < hubs.total ? 'warning' : undefined}
      >
        {t('dashboard:ofTotal', { count: hubs.count, total: hubs.total })}
      </Fact>
      <Fact label={t('dashboard:devices')} to={list(undefined)}>
        {summary.devices}
      </Fact>
      {summary.alarms > 0 && (
        <Fact label={t('dashboard:alarms')} to={undefined} tone="alarm">
          {summary.alarms}
        </Fact>
      )}
      <State label={t('dashboard:lights')} tally={lights} to={list('LightSwitch')} tone="on" />
      <State label={t('dashboard:doors')} tally={doors} to={list('Door')} tone="warning" />
      <State label={t('dashboard:motion')} tally={motion} to={list('Motion')} tone="on" />
    </ul>
  )
}

/** Devices in a state, and how many of them nobody can tell about. */
function State(props: { label: string; tally: Tally; to: string | undefined; tone: Tone }) {
  const t = useT()
  const { label, tally, to, tone } = props
  if (tally.total === 0) return null
  const known = tally.unknown < tally.total
  return (
    <Fact
      label={label}
      to={to}
      tone={tally.count > 0 ? tone : undefined}
      note={tally.unknown > 0 ? t('dashboard:unknown', { count: tally.unknown }) : undefined}
      why={t('dashboard:unknownWhy')}
    >
      {t('dashboard:ofTotal', { count: known ? tally.count : '–', total: tally.total })}
    </Fact>
  )
}

interface FactProps {
  label: string
  to: string | undefined
  tone?: Tone | undefined
  note?: string | undefined
  why?: string
  children: ReactNode
}

function Fact({ label, to, tone, note, why, children }: FactProps) {
  return (
    <li>
      <Item to={to} className={styles.fact}>
        <span className={page.small}>{label}</span>
        <span className={styles.value}>{tone ? <StateTag tone={tone}>{children}</StateTag> : children}</span>
        {note && (
          <span className={page.small} title={why}>
            {note}
          </span>
        )}
      </Item>
    </li>
  )
}

/** A link where there is a list to go to. */
function Item({
  to,
  className,
  children,
}: {
  to: string | undefined
  className?: string
  children: ReactNode
}) {
  return to ? (
    <Link to={to} className={`${className} ${styles.link}`}>
      {children}
    </Link>
  ) : (
    <div className={className}>{children}</div>
  )
}
