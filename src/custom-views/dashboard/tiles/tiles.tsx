import { formatDecimals } from '../../../../contract/kernel/numbers.ts'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { describeFailure } from '../../../data/failure.ts'
import { useMay } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { plainPart } from '../../../ui/page/lazy.tsx'
import { ButtonLink, PlainButton } from '../../../ui/plain/plain-button.tsx'
import { PartialPower } from '../common/partial-power.tsx'
import { SeveritySign } from '../../../ui/tags/severity-sign.tsx'
import page from '../../../ui/page/page.module.css'
import styles from '../common/dashboard.module.css'
import type { Summary } from '../common/summarize.ts'
import { useAttention } from '../common/attention.ts'
import { refetchDevices, useHomeOverview, useRoomSummary } from '../common/overview.ts'
import { usePhone } from '../../../ui/page/use-screen.ts'
import { Bone } from '../../../ui/page/skeleton.tsx'

export const FiguresSkeleton = () => (
  <div className={page.stack} aria-hidden="true">
    <Bone className={styles.bone} />
    <span className={page.tiles}>
      {[1, 2, 3, 4].map((n) => (
        <Bone key={n} className={styles.bone} />
      ))}
    </span>
  </div>
)

/** Loads after the first paint. */
const TileEnergy = plainPart(() => import('./tile-energy.tsx'), {
  fallback: <span className={styles.energy} aria-hidden="true" />,
})

interface TileProps {
  home: HomeWithRooms
  homes: readonly HomeWithRooms[]
  /** Whether content after the first paint may load. */
  settled: boolean
}

/** Present state of a site; links to its devices. */
export const SiteTile = memo(function SiteTile({ home, homes, settled }: TileProps) {
  const { snapshot, summary, error } = useHomeOverview(home)
  const t = useT()
  const mayRead = useMay('device', 'Read')
  const mayAdd = useMay('device', 'Create')
  const mayEnergy = useMay('electricity', 'Read')
  const isPhone = usePhone()
  const isWaiting = mayRead && !summary && error === undefined
  const hubs = snapshot?.Things.length ?? 0
  return (
    <Tile
      name={home.HomeName}
      to={mayRead ? pathTo('DeviceList', { HomeID: home.HomeID }) : undefined}
      busy={isWaiting}
      chip={
        summary && (
          <>
            {isPhone && <LightsOn summary={summary} home={home} />}
            <AttentionChip homes={homes} HomeID={home.HomeID} />
          </>
        )
      }
    >
      {isWaiting && <FiguresSkeleton />}
      {!mayRead && <p className={page.small}>{t('dashboard:rooms', { count: home.RoomList.length })}</p>}
      {error !== undefined && (
        <div role="alert" className={styles.failed}>
          <p>{t('dashboard:homeFailed')}</p>
          <p className={page.small}>{describeFailure(error)}</p>
          <PlainButton onClick={() => refetchDevices(home)}>{t('dashboard:retry')}</PlainButton>
        </div>
      )}
      {summary && summary.devices + hubs === 0 && (
        <div className={styles.failed}>
          <p className={page.small}>{t('dashboard:noDevices')}</p>
          {mayAdd && (
            <ButtonLink to={pathTo('AddDevices', { HomeID: home.HomeID })}>
              {t('dashboard:addHub')}
            </ButtonLink>
          )}
        </div>
      )}
      {summary && summary.devices + hubs > 0 && (
        <>
          <Power summary={summary} />
          {mayEnergy &&
            summary.meters.total > 0 &&
            (settled ? (
              <TileEnergy home={home} isCompact={isPhone} />
            ) : (
              <span className={styles.energy} aria-hidden="true" />
            ))}
          {!isPhone && <Facts summary={summary} home={home} />}
        </>
      )}
    </Tile>
  )
})

interface RoomTileProps {
  home: HomeWithRooms
  homes: readonly HomeWithRooms[]
  room: HomeWithRooms['RoomList'][number]
}

/** Present state of a room; links to its devices. */
export const RoomTile = memo(function RoomTile({ home, homes, room }: RoomTileProps) {
  const { HomeID } = home
  const { RoomID, RoomName } = room
  const summary = useRoomSummary(home, RoomID)
  if (!summary) return null
  return (
    <Tile
      name={RoomName}
      to={pathTo('RoomDevice', { HomeID, RoomID: String(RoomID) })}
      busy={false}
      chip={<AttentionChip homes={homes} HomeID={HomeID} RoomID={RoomID} />}
    >
      {summary.meters.total > 0 && <Power summary={summary} />}
      <Facts summary={summary} home={home} RoomID={RoomID} />
    </Tile>
  )
})

function Tile(props: {
  name: string
  to: string | undefined
  busy: boolean
  chip: ReactNode
  children: ReactNode
}) {
  const { name, to, busy, chip, children } = props
  return (
    <article className={`${page.card} ${styles.tile}`} aria-label={name} aria-busy={busy}>
      <header className={page.spread}>
        <h2>
          {to === undefined ? (
            name
          ) : (
            <Link to={to} className={styles.whole}>
              {name}
            </Link>
          )}
        </h2>
        {chip}
      </header>
      {children}
    </article>
  )
}

/**
 * Number of items that need attention in a site or room. A site without items shows its unknown devices, or that it is OK if everything is
 * known and updates arrive.
 */
function AttentionChip(props: { homes: readonly HomeWithRooms[]; HomeID: string; RoomID?: number }) {
  const { homes, HomeID, RoomID } = props
  const t = useT()
  const { attention } = useAttention(homes)
  if (!attention) return null
  const urgentItems = attention.Items.filter(
    (item) =>
      item.Severity !== 'info' && item.HomeID === HomeID && (RoomID === undefined || item.RoomID === RoomID),
  )
  const [first] = urgentItems.toSorted(
    (a, b) => Number(b.Severity === 'critical') - Number(a.Severity === 'critical'),
  )
  if (first)
    return (
      <span
        className={`${page.small} ${page.tightRow} ${page.figures} ${styles.chip}`}
        data-severity={first.Severity}
        title={t('dashboard:attention.needs', { count: urgentItems.length })}
      >
        <SeveritySign severity={first.Severity} />
        {t('dashboard:tile.needs', { count: urgentItems.length })}
      </span>
    )
  if (RoomID !== undefined) return null
  const unknown = attention.UnknownIn[HomeID] ?? 0
  if (unknown > 0)
    return (
      <span className={`${page.small} ${page.tightRow} ${page.figures} ${styles.chip}`}>
        {t('dashboard:tile.unknown', { count: unknown })}
      </span>
    )
  return attention.isLive ? (
    <span className={`${page.small} ${page.tightRow} ${page.figures} ${styles.chip}`}>
      {t('dashboard:tile.calm')}
    </span>
  ) : null
}

/** Power of the reporting meters and their number, so that a sum over some meters does not look complete. */
function Power({ summary: { meters, watts } }: { summary: Summary }) {
  const t = useT()
  if (meters.total === 0) return <p className={page.small}>{t('dashboard:noMeters')}</p>
  return (
    <p className={`${page.lead} ${styles.power}`}>
      <span className="visually-hidden">{t('dashboard:power')}</span>
      <PartialPower watts={watts} isPartial={meters.count < meters.total} />
      {meters.count < meters.total && (
        <span className={`${page.small} ${page.warning}`}>
          {t('dashboard:reporting', { reporting: meters.count, meters: meters.total })}
        </span>
      )}
    </p>
  )
}

const devicesWith = ({ HomeID }: HomeWithRooms, filters: Record<string, string>) =>
  `${pathTo('DeviceList', { HomeID })}?${new URLSearchParams(filters)}`

/** Link to the lights that are on, for a phone, which shows no other facts; nothing if none is. */
function LightsOn({ summary: { lights }, home }: { summary: Summary; home: HomeWithRooms }) {
  const t = useT()
  if (lights.count === 0) return null
  return (
    <Link
      to={devicesWith(home, { kind: 'LightSwitch', state: 'on' })}
      className={`${page.small} ${page.figures} ${styles.factLink}`}
    >
      {t('dashboard:lights')} {lights.count}
    </Link>
  )
}

/** Remaining facts of a site, or of a room; omits what a place does not have. */
function Facts({ summary, home, RoomID }: { summary: Summary; home: HomeWithRooms; RoomID?: number }) {
  const t = useT()
  const isRoom = RoomID !== undefined
  const ofRoom = isRoom ? { room: String(RoomID) } : undefined
  const { rooms, lights, doors, litEmpty, temperature } = summary
  const tally = ({ count, total, unknown }: Summary['rooms']) =>
    t('dashboard:ofTotal', { count: unknown < total ? count : '–', total })
  const unknown = (count: number) => (count > 0 ? t('dashboard:unknown', { count }) : undefined)
  const warm = temperature && {
    low: formatDecimals(temperature.low, 1),
    high: formatDecimals(temperature.high, 1),
  }
  return (
    <dl className={`${page.measures} ${styles.facts}`}>
      {rooms.total > 0 && !isRoom && (
        <Fact
          label={t('dashboard:tile.inUse')}
          note={unknown(rooms.unknown)}
          to={pathTo('Building', { HomeID: home.HomeID })}
        >
          {t('dashboard:tile.roomsOf', {
            count: rooms.unknown < rooms.total ? rooms.count : '–',
            total: rooms.total,
          })}
        </Fact>
      )}
      {warm && (
        <Fact label={t('dashboard:tile.temperature')}>
          {warm.low === warm.high ? t('dashboard:tile.degree', warm) : t('dashboard:tile.degrees', warm)}
        </Fact>
      )}
      {lights.total > 0 && (
        <Fact
          label={t('dashboard:lights')}
          note={unknown(lights.unknown)}
          to={devicesWith(home, { kind: 'LightSwitch', state: 'on', ...ofRoom })}
        >
          {tally(lights)}
        </Fact>
      )}
      {rooms.total > 0 && lights.total > 0 && !isRoom && (
        <Fact
          label={t('dashboard:tile.litEmpty')}
          why={t('dashboard:tile.litEmptyWhy')}
          marked={litEmpty.length > 0}
          to={
            litEmpty.length === 1
              ? devicesWith(home, { kind: 'LightSwitch', state: 'on', room: String(litEmpty[0]) })
              : `${pathTo('Building', { HomeID: home.HomeID })}?layer=light`
          }
        >
          {rooms.unknown < rooms.total ? litEmpty.length : '–'}
        </Fact>
      )}
      {doors.total > 0 && (
        <Fact label={t('dashboard:doors')} note={unknown(doors.unknown)} marked={doors.count > 0}>
          {tally(doors)}
        </Fact>
      )}
    </dl>
  )
}

interface FactProps {
  label: string
  /** Page that shows what is counted. */
  to?: string | undefined
  note?: string | undefined
  why?: string
  /** Whether to highlight it for attention. */
  marked?: boolean
  children: ReactNode
}

function Fact({ label, to, note, why, marked = false, children }: FactProps) {
  return (
    <div title={why}>
      <dt>
        {to === undefined ? (
          label
        ) : (
          <Link to={to} className={styles.factLink}>
            {label}
          </Link>
        )}
      </dt>
      <dd className={marked ? styles.marked : undefined}>
        {children}
        {note && <span className={page.small}> {note}</span>}
      </dd>
    </div>
  )
}
