-- compatible-with-level: 26
-- Trigrams serve searches of three letters or more. A shorter term reads all rows.
drop index servers_short_search, users_short_search;
drop function short_grams(text);
drop function grams_of_term(text);

-- A session is extended whenever it is marked as seen.
alter table sessions drop column last_used_at;
