import { useT } from '../../../../lib/i18n/i18n.ts'
import { AttentionRows } from '../../attention/attention-rows.tsx'
import { CardFrame, Empty } from '../../cards/card-frame.tsx'
import styles from '../../cards/cards.module.css'
import type { CardProps } from './card-props.ts'
import { SiteName } from './site-name.tsx'

/** What needs somebody in one site, or in all; the same rows as on top of the page. */
export default function Attention({
  card: { HomeID },
  title,
  homes,
  overview,
  morning,
}: CardProps<'attention'>) {
  const t = useT()
  const items = morning?.Items.filter((item) => HomeID === null || item.HomeID === HomeID)
  const unknown = HomeID === null ? undefined : morning?.UnknownIn[HomeID]
  return (
    <CardFrame
      title={title ?? t('boards:kinds.attention.name')}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={!morning}
    >
      {!morning || !items ? (
        <span className={styles.bone} aria-hidden="true" />
      ) : items.length === 0 ? (
        <Empty
          why={
            morning.Verdict === 'clear'
              ? t('boards:attention.clear')
              : t('boards:attention.noneKnown', { count: unknown ?? morning.Watched - morning.Known })
          }
        />
      ) : (
        <AttentionRows morning={{ ...morning, Items: items }} overview={overview} />
      )}
    </CardFrame>
  )
}
