import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { wholeOf } from '../../../domain/energy/totals.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { useNear } from '../common/near.tsx'
import styles from '../common/dashboard.module.css'
import { ContractBar } from '../common/contract-bar.tsx'
import { kwOf, useDemands, usePowerOf } from '../common/use-power.ts'

const DAY = 86_400_000
const [WIDTH, HEIGHT] = [96, 32]

/** Power of a site over the last 24 hours and its share of the contract, which alone a phone shows; loads when near the viewport. */
export default function TileEnergy({ home, isCompact }: { home: HomeWithRooms; isCompact: boolean }) {
  const { isNear, ref } = useNear()
  if (isCompact) return <Contract home={home} />
  return (
    <div ref={ref} className={styles.energy}>
      {isNear && <Shown home={home} />}
    </div>
  )
}

const Contract = ({ home }: { home: HomeWithRooms }) => (
  <ContractBar demand={useDemands().demands.get(home.HomeID)} />
)

function Shown({ home }: { home: HomeWithRooms }) {
  const query = usePowerOf(home)
  const now = useNow()
  const last = wholeOf(query.data?.Series)
    .filter(({ Timestamp }) => Timestamp >= now - DAY && Timestamp + QUARTER_MS <= now)
    .map((point) => ({ at: point.Timestamp, kw: kwOf(point) }))
  return (
    <>
      <Spark name={home.HomeName} points={last} from={now - DAY} />
      <Contract home={home} />
    </>
  )
}

/** Line without axes, as the shape of the day; the figures are shown elsewhere. */
function Spark(props: { name: string; points: readonly { at: number; kw: number | null }[]; from: number }) {
  const { name, points, from } = props
  const t = useT()
  const maxKw = Math.max(...points.map(({ kw }) => kw ?? 0), 0.001)
  const minKw = Math.min(...points.map(({ kw }) => kw ?? 0), 0)
  let path = ''
  let isDrawn = false
  for (const { at, kw } of points) {
    if (kw === null) {
      isDrawn = false
      continue
    }
    const x = ((at - from) / DAY) * WIDTH
    const y = HEIGHT - 2 - ((kw - minKw) / (maxKw - minKw)) * (HEIGHT - 4)
    path += `${isDrawn ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`
    isDrawn = true
  }
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('dashboard:tile.spark', { name })}
    >
      <path d={path} />
    </svg>
  )
}
