import { useT } from '../../../../lib/i18n/i18n.ts'
import { AttentionRows } from '../../attention/attention-rows.tsx'
import { CardFrame, Empty } from '../../cards/card-frame.tsx'
import { useAttention, type AttentionState } from '../../common/attention.ts'
import type { CardProps } from './card-props.ts'
import { SiteName } from './of-site.tsx'
import { Bone } from '../../../../ui/page/skeleton.tsx'

/** Items that need attention in one site or in all; the same rows as at the top of the page. */
export default function Attention({ card: { HomeID }, title, homes }: CardProps<'attention'>) {
  const t = useT()
  const { attention } = useAttention(homes)
  const items = attention?.Items.filter((item) => HomeID === null || item.HomeID === HomeID)
  return (
    <CardFrame
      title={title ?? t('boards:kinds.attention.name')}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={!attention}
    >
      {!attention || !items ? (
        <Bone />
      ) : items.length === 0 ? (
        <Nothing attention={attention} HomeID={HomeID} />
      ) : (
        <AttentionRows attention={{ ...attention, Items: items }} homes={homes} />
      )}
    </CardFrame>
  )
}

/** Message without items: "clear" only if every device is known and updates arrive, otherwise the unknown count. */
function Nothing({ attention, HomeID }: { attention: AttentionState; HomeID: string | null }) {
  const t = useT()
  const { Verdict, Known, Watched, UnknownIn, isLive, without } = attention
  const count = HomeID === null ? Watched - Known : (UnknownIn[HomeID] ?? 0)
  const isSeen = HomeID !== null && Watched > 0 && isLive && without.length === 0
  const isClear = Verdict === 'clear' || (isSeen && count === 0)
  const message = isClear
    ? t('boards:attention.clear')
    : count > 0
      ? t('boards:attention.noneKnown', { count })
      : t('boards:attention.none')
  return <Empty why={message} />
}
