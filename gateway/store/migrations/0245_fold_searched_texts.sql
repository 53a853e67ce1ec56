-- Searches find José by jose, and full width by half width: the same spelling as `foldText` of the contract.
do $$
declare
  -- The order of letters of the database may be C, in which only ASCII has two cases.
  rules text := coalesce(
    (select format('collate pg_catalog.%I', collname) from pg_collation
      where collname in ('pg_c_utf8', 'und-x-icu') order by collname limit 1), '');
begin
  execute format($function$
    create function fold_text(given text) returns text language plpgsql immutable strict parallel safe as $body$
    begin
      -- ASCII, kana and Chinese characters have one spelling each; to look is cheaper than to normalize.
      if octet_length(given) = char_length(given)
        or given !~ '[^\u0001-\u007f\u3001-\u3003\u3008-\u3011\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]' then
        return lower(given);
      end if;
      return normalize(regexp_replace(normalize(lower(given %s), NFKD), '[\u0300-\u036f]', '', 'g'), NFKC);
    end $body$ $function$, rules);
end $$;

-- `search_text` remains for gateways of the last release.
alter table employees add column folded_text text
  generated always as (fold_text(employee_name || ' ' || email || ' ' || coalesce(card_number, ''))) stored;
alter table visitors add column folded_text text
  generated always as (fold_text(visitor_name || ' ' || company || ' ' || email || ' ' || phone || ' ' || purpose)) stored;
