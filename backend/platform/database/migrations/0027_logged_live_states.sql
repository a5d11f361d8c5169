-- compatible-with-level: 27
-- Live states survive a crash of the database and reach its replicas, as every other table does.
alter table presence set logged;
drop table presence_epoch;
