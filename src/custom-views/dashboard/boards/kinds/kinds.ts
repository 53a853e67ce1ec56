import { createElement, type ComponentType } from 'react'
import type { CardKind } from '../../../../../contract/dashboards/cards.ts'
import { loadNamespaces, t } from '../../../../lib/i18n/i18n.ts'
import type { Namespace } from '../../../../lib/i18n/words.ts'
import { lazyPart, type LazyPart } from '../../../../ui/page/lazy.tsx'
import { NotNear } from '../../common/near.tsx'
import type { CardProps } from './card-props.ts'

interface Kind<K extends CardKind> {
  Card: LazyPart<CardProps<K>>
  /** Initial size in columns and rows. */
  size: { W: number; H: number }
}

const lazyKind = <K extends CardKind>(
  load: () => Promise<{ default: ComponentType<CardProps<K>> }>,
  words: readonly Namespace[] = [],
): LazyPart<CardProps<K>> =>
  lazyPart(async () => (await Promise.all([load(), loadNamespaces(words)]))[0], {
    fallback: ({ card: { Kind, Title } }) =>
      createElement(NotNear, { title: Title ?? t(`boards:kinds.${Kind}.name`) }),
  })

const halfSize = { W: 6, H: 4 }
const third = { W: 4, H: 3 }

/** Card kinds in catalog order: lazy component and initial size. */
export const KINDS: { readonly [K in CardKind]: Kind<K> } = {
  number: { Card: lazyKind<'number'>(() => import('./number.tsx')), size: { W: 3, H: 2 } },
  chart: { Card: lazyKind<'chart'>(() => import('./chart.tsx'), ['history']), size: { W: 8, H: 4 } },
  usage: { Card: lazyKind<'usage'>(() => import('./usage.tsx')), size: { W: 12, H: 6 } },
  day: { Card: lazyKind<'day'>(() => import('./day.tsx')), size: { W: 8, H: 6 } },
  demand: { Card: lazyKind<'demand'>(() => import('./demand.tsx')), size: third },
  ranking: { Card: lazyKind<'ranking'>(() => import('./ranking.tsx')), size: { W: 6, H: 5 } },
  categories: { Card: lazyKind<'categories'>(() => import('./categories.tsx')), size: { W: 6, H: 5 } },
  bill: { Card: lazyKind<'bill'>(() => import('./bill.tsx')), size: third },
  attention: { Card: lazyKind<'attention'>(() => import('./attention.tsx')), size: { W: 12, H: 3 } },
  hubs: { Card: lazyKind<'hubs'>(() => import('./hubs.tsx')), size: third },
  room: { Card: lazyKind<'room'>(() => import('./room.tsx')), size: { W: 3, H: 3 } },
  devices: { Card: lazyKind<'devices'>(() => import('./devices.tsx')), size: halfSize },
  scenes: { Card: lazyKind<'scenes'>(() => import('./scenes.tsx')), size: { W: 4, H: 2 } },
  freeRooms: { Card: lazyKind<'freeRooms'>(() => import('./free-rooms.tsx')), size: third },
  visitors: { Card: lazyKind<'visitors'>(() => import('./visitors.tsx')), size: third },
  note: { Card: lazyKind<'note'>(() => import('./note.tsx')), size: { W: 4, H: 2 } },
}
