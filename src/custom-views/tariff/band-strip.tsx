import { formatPrice } from '../../../contract/kernel/numbers.ts'
import type { CSSProperties } from 'react'
import { formatMinute } from '../../../contract/time/periods.ts'
import {
  type BandSpan,
  daysOfSeason,
  type TariffSeason,
  type TariffVersion,
} from '../../../contract/tariffs/tariff-terms.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { bandColors } from '../../ui/chart/energy-colors.ts'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { useSpanWords } from './use-tariff.ts'

/** A day as a strip of 24 hours: each band has a color, an initial, and a text for screen readers. */
export function BandStrip({ spans }: { spans: readonly Omit<BandSpan, 'Price'>[] }) {
  const t = useT()
  const end = spans.at(-1)?.ThroughMinute ?? 0
  return (
    <ol className={styles.strip}>
      {spans.flatMap(({ FromMinute, ThroughMinute, Band }, i) => {
        const previousEnd = spans[i - 1]?.ThroughMinute ?? 0
        const text = `${formatMinute(FromMinute)}–${formatMinute(ThroughMinute)} ${t(`tariff:bands.${Band}`)}`
        const look = {
          flexGrow: Math.max(0, ThroughMinute - FromMinute),
          '--band-light': bandColors[Band].light,
          '--band-dark': bandColors[Band].dark,
        } as CSSProperties
        return [
          ...(FromMinute > previousEnd
            ? [<Gap key={`before ${i}`} minutes={FromMinute - previousEnd} />]
            : []),
          <li key={i} className={styles.span} style={look} title={text}>
            <span aria-hidden>{t(`tariff:letters.${Band}`)}</span>
            <span className="visually-hidden">{text}</span>
          </li>,
        ]
      })}
      {end < 1440 && <Gap minutes={1440 - end} />}
    </ol>
  )
}

/** Minutes that no window covers, in a tariff being edited. */
const Gap = ({ minutes }: { minutes: number }) => (
  <li aria-hidden className={styles.gap} style={{ flexGrow: minutes }} />
)

/** Prices of a version: its seasons with the strips of their days, or their tiers. */
export function VersionPreview({ version }: { version: TariffVersion }) {
  return (
    <div className={styles.seasons}>
      {version.Seasons.map((season, i) => (
        <SeasonPreview key={i} kind={version.Kind} season={season} />
      ))}
    </div>
  )
}

function SeasonPreview({ kind, season }: { kind: TariffVersion['Kind']; season: TariffSeason }) {
  const t = useT()
  const spanWords = useSpanWords()
  return (
    <section className={styles.season}>
      <h4>
        {t(`tariff:seasons.${season.Season}`)}
        <small>{spanWords(season.From, season.Through)}</small>
      </h4>
      {kind === 'timeOfUse' && (
        <div className={page.column}>
          {daysOfSeason(season).map((day) => (
            <div key={day} className={styles.day}>
              <span>{t(`tariff:days.${day}`)}</span>
              <BandStrip
                spans={(season.Windows[day] ?? []).toSorted((a, b) => a.FromMinute - b.FromMinute)}
              />
            </div>
          ))}
          <p className={`${page.spread} ${page.small} ${page.figures} ${styles.hours}`} aria-hidden>
            {[0, 6, 12, 18, 24].map((hour) => (
              <span key={hour}>{hour}</span>
            ))}
          </p>
        </div>
      )}
      <Prices kind={kind} season={season} />
    </section>
  )
}

function Prices({ kind, season }: { kind: TariffVersion['Kind']; season: TariffSeason }) {
  const t = useT()
  if (kind === 'tiered')
    return (
      <ul className={`${page.wideRow} ${page.figures} ${page.above16}`}>
        {season.Tiers.map(({ ThroughKwh, Price }, i) => {
          const from = season.Tiers[i - 1]?.ThroughKwh ?? 0
          return (
            <li key={from}>
              {ThroughKwh === null
                ? t('tariff:tierOver', { from, price: formatPrice(Price) })
                : t('tariff:tier', { from, through: ThroughKwh, price: formatPrice(Price) })}
            </li>
          )
        })}
      </ul>
    )
  return (
    <ul className={`${page.wideRow} ${page.figures} ${page.above16}`}>
      {(Object.entries(season.Prices) as [keyof typeof season.Prices, number][]).map(([band, price]) => (
        <li
          key={band}
          className={styles.swatch}
          style={
            { '--band-light': bandColors[band].light, '--band-dark': bandColors[band].dark } as CSSProperties
          }
        >
          {t('tariff:bandPrice', { band: t(`tariff:bands.${band}`), price: formatPrice(price) })}
        </li>
      ))}
    </ul>
  )
}
