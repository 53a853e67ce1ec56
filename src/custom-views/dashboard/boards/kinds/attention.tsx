import { useT } from '../../../../lib/i18n/i18n.ts'
import { AttentionRows } from '../../attention/attention-rows.tsx'
import { CardFrame, Empty } from '../../cards/card-frame.tsx'
import type { AttentionState } from '../../common/use-attention.ts'
import type { CardProps } from './card-props.ts'
import { SiteName } from './site-name.tsx'
import { Bone } from '../../../../ui/page/skeleton.tsx'

/** Items that need attention in one site or in all; the same rows as at the top of the page. */
export default function Attention({
  card: { HomeID },
  title,
  homes,
  overview,
  morning,
}: CardProps<'attention'>) {
  const t = useT()
  const items = morning?.Items.filter((item) => HomeID === null || item.HomeID === HomeID)
  return (
    <CardFrame
      title={title ?? t('boards:kinds.attention.name')}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={!morning}
    >
      {!morning || !items ? (
        <Bone />
      ) : items.length === 0 ? (
        <Nothing morning={morning} HomeID={HomeID} />
      ) : (
        <AttentionRows morning={{ ...morning, Items: items }} overview={overview} />
      )}
    </CardFrame>
  )
}

/** Message without items: "clear" only if every device is known and updates arrive, otherwise the unknown count. */
function Nothing({ morning, HomeID }: { morning: AttentionState; HomeID: string | null }) {
  const t = useT()
  const { Verdict, Known, Watched, UnknownIn, isHeard, without } = morning
  const count = HomeID === null ? Watched - Known : (UnknownIn[HomeID] ?? 0)
  const isSeen = HomeID !== null && Watched > 0 && isHeard && without.length === 0
  const isClear = Verdict === 'clear' || (isSeen && count === 0)
  const why = isClear
    ? t('boards:attention.clear')
    : count > 0
      ? t('boards:attention.noneKnown', { count })
      : t('boards:attention.none')
  return <Empty why={why} />
}
