import { expect, it } from 'vitest'
import { parseTimeOfDay } from '../../../src/lib/parse-time.ts'

it.each([
  ['1000', 600],
  ['930', 570],
  ['10', 600],
  ['10:00', 600],
  ['9.30', 570],
  ['１０：３０', 630],
  ['3pm', 900],
  ['3:15 PM', 915],
  ['12am', 0],
  ['上午十點', 600],
  ['下午三點半', 930],
  ['下午3:05', 905],
  ['晚上8點15分', 1215],
  ['晚上20點', 1200],
  ['十二點一刻', 735],
  ['二十點', 1200],
  ['中午', 720],
  ['中午十二點', 720],
  ['24:00', 0],
])('%s is minute %i of the day', (text, minute) => expect(parseTimeOfDay(text)).toBe(minute))

it.each(['', '25:00', '10:60', '2460', '上午十三點', 'soon', '十點七十分', '1e3', '點'])(
  '“%s” is not a time',
  (text) => expect(parseTimeOfDay(text)).toBeUndefined(),
)
