import { formatWhole } from '../../../contract/kernel/numbers.ts'
import { Button, Input, InputNumber, Select, Switch } from 'antd'
import {
  BANDS,
  CAPACITIES,
  daysOfSeason,
  MOST_SEASONS,
  SEASONS,
  type TariffSeason,
  type TariffVersion,
} from '../../../contract/tariffs/tariff-terms.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatPeriod } from '../../ui/page/format-when.ts'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import { VersionPreview } from './band-strip.tsx'
import { useFaultPlace, type Fault } from './faults.ts'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { withoutSeason, withSeason } from './seasons.ts'
import { WindowsEditor } from './windows-editor.tsx'

interface Props {
  version: TariffVersion
  /** Errors, with paths within the version. */
  faults: readonly Fault[]
  onChange: (next: TariffVersion) => void
}

/** Errors of one place, each with its range. */
export function Faults({ at, faults }: { at: string; faults: readonly Fault[] }) {
  const t = useT()
  const placeOf = useFaultPlace()
  return faults
    .filter(({ path }) => path === at || path.startsWith(`${at}.`))
    .map(({ path, text }) => (
      <p key={path} className={page.fault} role="alert">
        {t('tariff:faultAt', { span: placeOf(path), reason: text })}
      </p>
    ))
}

/** kWh per month above which the simple time-of-use plans charge more. */
const DEFAULT_OVER_KWH = 2000

/** Editor of one version: validity, prices, and a preview of its days. */
export function VersionEditor({ version, faults, onChange }: Props) {
  const t = useT()
  const of = (changes: Partial<TariffVersion>) => onChange({ ...version, ...changes })
  const overKwh = version.Surcharge?.OverKwh ?? DEFAULT_OVER_KWH
  return (
    <>
      <div className={`${page.fields} ${styles.form}`}>
        <label>
          {t('tariff:from')}
          <DayField value={version.ValidFrom} change={(ValidFrom) => of({ ValidFrom })} />
        </label>
        <label>
          {t('tariff:through')}
          <DayField
            clears
            value={version.ValidThrough ?? ''}
            change={(day) => of({ ValidThrough: day || null })}
          />
        </label>
        <label>
          {t('tariff:own.kind')}
          <Select
            value={version.Kind}
            onChange={(Kind) => of({ Kind })}
            options={(['timeOfUse', 'tiered', 'flat'] as const).map((value) => ({
              value,
              label: t(`tariff:kinds.${value}`),
            }))}
          />
        </label>
        {(['single', 'three'] as const).map((phases) => (
          <Amount
            key={phases}
            label={t('tariff:own.basic', { phases: t(`tariff:phases.${phases}`) })}
            value={version.BasicCharge[phases]}
            onChange={(price) => of({ BasicCharge: { ...version.BasicCharge, [phases]: price ?? 0 } })}
          />
        ))}
        <Amount
          label={t('tariff:own.surcharge', { kwh: formatWhole(overKwh) })}
          value={version.Surcharge?.Price}
          onChange={(price) => of({ Surcharge: price === null ? null : { OverKwh: overKwh, Price: price } })}
        />
        <Amount
          label={t('tariff:own.minimum')}
          value={version.MinimumBill}
          onChange={(price) => of({ MinimumBill: price ?? 0 })}
        />
        <label className={styles.switched}>
          {t('tariff:own.powerFactor')}
          <Switch checked={version.PowerFactor} onChange={(PowerFactor) => of({ PowerFactor })} />
        </label>
      </div>
      <Faults at="ValidFrom" faults={faults} />
      <Faults at="ValidThrough" faults={faults} />
      {faults
        .filter(({ path }) => /^Seasons\.[^.]+$/.test(path))
        .map(({ path }) => (
          <Faults key={path} at={path} faults={faults} />
        ))}
      {version.Seasons.map((season, i) => (
        <SeasonEditor
          key={i}
          kind={version.Kind}
          season={season}
          at={`Seasons.${i}`}
          faults={faults}
          onChange={(next) => of({ Seasons: version.Seasons.with(i, next) })}
          remove={
            version.Seasons.length > 1 ? () => of({ Seasons: withoutSeason(version.Seasons, i) }) : undefined
          }
        />
      ))}
      <div className={`${page.row} ${styles.row}`}>
        <Button
          disabled={version.Seasons.length >= MOST_SEASONS}
          onClick={() => of({ Seasons: withSeason(version.Seasons) })}
        >
          {t('tariff:own.addSeason')}
        </Button>
        <span className={page.note}>
          {version.Seasons.length >= MOST_SEASONS
            ? t('tariff:own.seasonsFull', { most: MOST_SEASONS })
            : t('tariff:own.seasonsHint')}
        </span>
      </div>
      <VersionPreview version={version} />
    </>
  )
}

function Amount(props: {
  label: string
  value: number | undefined
  onChange: (price: number | null) => void
}) {
  const { label, value, onChange } = props
  return (
    <label>
      {label}
      <InputNumber min={0} max={100_000} step={0.01} prefix="NT$" value={value ?? null} onChange={onChange} />
    </label>
  )
}

interface SeasonProps {
  kind: TariffVersion['Kind']
  season: TariffSeason
  at: string
  faults: readonly Fault[]
  onChange: (next: TariffSeason) => void
  /** Undefined if it is the only one. */
  remove: (() => void) | undefined
}

function SeasonEditor({ kind, season, at, faults, onChange, remove }: SeasonProps) {
  const t = useT()
  const daysText = useFormatPeriod()
  const of = (changes: Partial<TariffSeason>) => onChange({ ...season, ...changes })
  const bands = kind === 'flat' ? (['flat'] as const) : BANDS.filter((band) => band !== 'flat')
  /** Removes the key if the price is empty. */
  const withPrice = <K extends string>(all: Partial<Record<K, number>>, key: K, price: number | null) => {
    const next = { ...all }
    if (price === null) delete next[key]
    else next[key] = price
    return next
  }
  return (
    <fieldset className={`${page.box} ${page.padded} ${page.tightStack}`}>
      <legend>{t(`tariff:seasons.${season.Season}`)}</legend>
      <div className={`${page.fields} ${styles.form}`}>
        <label>
          {t('tariff:own.season')}
          <Select
            value={season.Season}
            onChange={(Season) => of({ Season })}
            options={SEASONS.map((value) => ({ value, label: t(`tariff:seasons.${value}`) }))}
          />
        </label>
        <label>
          {t('tariff:own.seasonFrom')}
          <Input value={season.From} maxLength={5} onChange={({ target }) => of({ From: target.value })} />
        </label>
        <label>
          {t('tariff:own.seasonThrough')}
          <Input
            value={season.Through}
            maxLength={5}
            onChange={({ target }) => of({ Through: target.value })}
          />
        </label>
        {kind !== 'tiered' &&
          bands.map((band) => (
            <Amount
              key={band}
              label={t('tariff:own.price', { band: t(`tariff:bands.${band}`) })}
              value={season.Prices[band]}
              onChange={(price) => of({ Prices: withPrice(season.Prices, band, price) })}
            />
          ))}
        {CAPACITIES.map((capacity) => (
          <Amount
            key={capacity}
            label={t('tariff:own.rate', { capacity: t(`tariff:capacities.${capacity}`) })}
            value={season.CapacityRates[capacity]}
            onChange={(price) => of({ CapacityRates: withPrice(season.CapacityRates, capacity, price) })}
          />
        ))}
      </div>
      {(['From', 'Through', 'Prices', 'Tiers'] as const).map((field) => (
        <Faults key={field} at={`${at}.${field}`} faults={faults} />
      ))}
      {kind === 'timeOfUse' &&
        daysOfSeason(season).map((day) => (
          <div key={day} className={`${page.stack} ${page.tightStack}`}>
            <WindowsEditor
              label={t(`tariff:days.${day}`)}
              windows={season.Windows[day] ?? []}
              onChange={(windows) => of({ Windows: { ...season.Windows, [day]: windows } })}
            />
            <Faults at={`${at}.Windows.${day}`} faults={faults} />
          </div>
        ))}
      {kind === 'tiered' && <TiersEditor tiers={season.Tiers} onChange={(Tiers) => of({ Tiers })} />}
      {remove && (
        <div>
          <Button danger onClick={remove}>
            {t('tariff:own.removeSeason', {
              season: t(`tariff:seasons.${season.Season}`),
              days: daysText(season.From, season.Through),
            })}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

function TiersEditor({
  tiers,
  onChange,
}: {
  tiers: TariffSeason['Tiers']
  onChange: (next: TariffSeason['Tiers']) => void
}) {
  const t = useT()
  return (
    <div className={`${page.stack} ${page.tightStack}`}>
      {tiers.map((tier, i) => (
        <div key={i} className={`${page.row} ${styles.row}`}>
          <InputNumber
            aria-label={t('tariff:own.tierThrough')}
            prefix="≤"
            suffix="kWh"
            min={1}
            placeholder="∞"
            value={tier.ThroughKwh}
            onChange={(ThroughKwh) => onChange(tiers.with(i, { ...tier, ThroughKwh }))}
          />
          <InputNumber
            aria-label={t('tariff:own.tierPrice')}
            prefix="NT$"
            min={0}
            step={0.01}
            value={tier.Price}
            onChange={(price) => onChange(tiers.with(i, { ...tier, Price: price ?? 0 }))}
          />
          <Button danger onClick={() => onChange(tiers.filter((_, n) => n !== i))}>
            {t('tariff:home.remove')}
          </Button>
        </div>
      ))}
      <Button onClick={() => onChange([...tiers, { ThroughKwh: null, Price: tiers.at(-1)?.Price ?? 0 }])}>
        {t('tariff:own.addTier')}
      </Button>
    </div>
  )
}
