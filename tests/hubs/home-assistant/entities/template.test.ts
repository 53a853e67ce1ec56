import { describe, expect, it } from 'vitest'
import { compileTemplate } from '../../../../hubs/home-assistant/entities/template.ts'

const render = (template: string, body: unknown, value: unknown = JSON.stringify(body)) =>
  compileTemplate(template)({ value, json: () => body })

describe('a value template', () => {
  it.each([
    ['{{ value_json.a.b }}', { a: { b: 4.5 } }, '4.5'],
    ['{{value_json["temperature:0"].tC}}', { 'temperature:0': { tC: 31.2 } }, '31.2'],
    ["{{ value_json['list'][1] }}", { list: [1, 2] }, '2'],
    ['{{ value_json.power | float(0) | round(1) }}', { power: '12.345' }, '12.3'],
    ['{{ value_json.power | multiply(0.001) }}', { power: 1500 }, '1.5'],
    ['{{ value_json.missing | default(7) }}', {}, '7'],
    ['{{ float(value_json.power, 0) / 10 }}', { power: '25' }, '2.5'],
    ['{{ iif(int(value_json.on) == 1, "ON", "OFF") }}', { on: '1' }, 'ON'],
    ['{{ value_json.state | int * 2 }}', { state: '21' }, '42'],
    ['{{ value_json.range | float + 0.5 }}', { range: 3 }, '3.5'],
    ['{%if value_json.output%}on{%else%}off{%endif%}', { output: true }, 'on'],
    [
      '{% if "overpower" in value_json.get("errors",[]) %}ON{% else %}OFF{% endif %}',
      { errors: ['overpower'] },
      'ON',
    ],
    [
      '{{ iif(value_json.on, "ON", "OFF") if false else value_json.on | iif("ON", "OFF") }}',
      { on: false },
      'OFF',
    ],
    [
      '{%if value=="off"%}{%set output=false%}{%else%}{%set output=true%}{%endif%}{{{"value":output}|tojson}}',
      undefined,
      '{"value": true}',
    ],
  ])('%s', (template, body, expected) => {
    expect(render(template, body, body === undefined ? 'heat' : undefined)).toBe(expected)
  })

  it('says nothing of what is not there', () => {
    expect(render('{{ value_json.a.b.c }}', { a: 1 })).toBe('')
    expect(render('{{ value_json.a }}', undefined)).toBe('')
    expect(render('{{ value_json.__proto__ }}', {})).toBe('')
  })

  it.each([
    ["{{ 'a' in value_json.missing }}", 'false'],
    ["{{ 'a' not in value_json.missing }}", 'true'],
    ["{{ 'a' in value_json.missing.deeper }}", 'false'],
    ["{{ value_json.missing in ['a', 'b'] }}", 'false'],
    ["{{ value_json.missing not in ['a', 'b'] }}", 'true'],
    ["{{ 'ON' if value_json.missing.deeper in value_json.other else 'OFF' }}", 'OFF'],
    ["{{ value_json.there in ['a', 'b'] }}", 'true'],
    ["{{ value_json.there not in ['a', 'b'] }}", 'false'],
  ])('%s: what is not there is in nothing, and nothing is in it', (template, expected) => {
    expect(render(template, { there: 'a' })).toBe(expected)
  })

  it('sees the payload as it came as value', () => {
    expect(render('{{ value | upper }}', undefined, 'online')).toBe('ONLINE')
  })

  it.each([
    '{{ value_json.',
    '{% for i in range(999999999) %}{% endfor %}',
    '{{ range(999999999) | length }}',
    '{% set numbers = range %}{{ numbers(999999999) | length }}',
    '{{ value_json[range(999999999) | length] }}',
    '{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}',
    '{{ value }}'.padEnd(9_000),
  ])('is refused where it is broken or could run without end: %.40s', (template) => {
    expect(() => compileTemplate(template)).toThrow(Error)
  })

  const doubled = (statement: string) => statement.repeat(40)
  it.each([
    ['text that doubles', `{% set a = 'aaaaaaaa' %}${doubled('{% set a=a+a %}')}{{ a | length }}`],
    ['text that is joined', `{% set a = 'aaaaaaaa' %}${doubled('{% set a=a~a %}')}{{ a | length }}`],
    ['a list that doubles', `{% set a = [1, 2] %}${doubled('{% set a=a+a %}')}{{ a | length }}`],
    ['a list in lists', `{% set a = [1, 2] %}${doubled('{% set a=[a,a] %}')}{{ a | tojson }}`],
    ['an object in objects', `{% set a = {} %}${doubled("{% set a={'x':a,'y':a} %}")}{{ a | tojson }}`],
    [
      'a block that prints twice',
      `{% set a = 'aa' %}${doubled('{% set a %}{{ a }}{{ a }}{% endset %}')}{{ a }}`,
    ],
    ['replacements', `{% set a = 'aaaaaaaa' %}${doubled("{% set a=a.replace('a', a) %}")}{{ a | length }}`],
    [
      'replacements by a filter',
      `{% set a = 'aaaaaaaa' %}${doubled("{% set a=a|replace('a', a) %}")}{{ a }}`,
    ],
    ['a wide margin', "{{ 'a\nb' | indent(999999999) | length }}"],
    ['wide JSON', '{{ [1, 2] | tojson(indent=999999999) | length }}'],
    ['conditions in conditions', `{{ ${'('.repeat(60)}value${' in value_json.x)'.repeat(60)} }}`],
  ])('ends soon, with a reason, at %s', (_, template) => {
    expect(() => render(template, { x: ['a'] }, 'a')).toThrow(/template/)
  })

  it('may look into a long list as often as it likes', () => {
    const list = Array.from({ length: 100_000 }, (_, i) => i)
    expect(
      render(`{% set x = 0 %}${'{% set x = x + value_json.list[2] %}'.repeat(50)}{{ x }}`, { list }),
    ).toBe('100')
  })
})
